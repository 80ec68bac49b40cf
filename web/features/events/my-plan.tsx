import { Link } from '@tanstack/react-router';
import { CarFront, CircleCheck, Clock, HandHelping } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { answerPlace, type myEvent, type MyPlace } from '#contract/events/plan.ts';
import { dropDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { AnswerBar } from '../../domain/booking/answer-bar.tsx';
import { DeclineDialog } from '../../domain/booking/decline-dialog.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

type Mine = OutputOf<typeof myEvent>;

/** How I get to an event and home: what the organizer proposes, and my own rides and requests. */
export function MyPlan({ mine }: { mine: Mine }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  if (mine.orders.length === 0) return null;
  return (
    <Section title={t('mine.title')}>
      {mine.places.map((place) => (
        <ProposedPlace key={place.id} place={place} />
      ))}
      <Card>
        <ul>
          {mine.orders.map(({ id, role, way, at, timeZone, seatsFree }) => (
            <li key={id}>
              <Link to="/pages/order/detail" search={{ id }} className={rowVariants}>
                <RowContent
                  leading={
                    role === 'driver' ? (
                      <CarFront aria-hidden className="size-5 text-brand-ink" />
                    ) : (
                      <HandHelping aria-hidden className="size-5 text-warn" />
                    )
                  }
                  title={`${t(way)}: ${t(role === 'driver' ? 'mine.driver' : 'mine.passenger')}`}
                  detail={[
                    format.when(at, timeZone),
                    ...(role === 'driver' ? [t('mine.seatsLeft', { count: seatsFree })] : []),
                  ].join(' · ')}
                  chevron
                />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

/** One place that the organizer proposes: who, when, where, what it costs, yes or no. */
function ProposedPlace({ place }: { place: MyPlace }) {
  const { t } = useTranslation('events');
  const [declining, setDeclining] = useState(false);
  const { id: placeId, role, way, other, waitsFor } = place;
  const answer = useAction(answerPlace, {
    invalidates: ['/event/', '/order/'],
    onDone: ({ joined, toPay }, { accept }) => {
      setDeclining(false);
      dropDraft(`place.${placeId}`);
      if (!accept) toast.done(t('mine.declined'));
      else if (toPay) toast.info(t(`mine.toPay.${role}`, { name: other.name }));
      else toast.done(t(joined ? 'mine.accepted' : 'mine.asked', { name: other.name }));
    },
  });
  const isMine = waitsFor === 'mine';
  return (
    <Card className="flex flex-col gap-3">
      <p className="text-small font-semibold text-brand-ink">
        {t(way)} · {t('mine.proposed')}
      </p>
      <WithWhom place={place} />
      {isMine ? (
        <AnswerBar
          accept={{ busy: answer.busy, run: () => answer.run({ placeId, accept: true }) }}
          decline={{ run: () => setDeclining(true) }}
        />
      ) : (
        <WaitsFor place={place} />
      )}
      {waitsFor === 'payment' && role === 'passenger' && (
        <Link
          to="/pages/order/detail"
          search={{ id: place.orderId }}
          className={buttonVariants({ tone: 'brand', full: true })}
        >
          {t('mine.pay')}
        </Link>
      )}
      <DeclineDialog
        draft={`place.${placeId}`}
        open={declining}
        onOpenChange={setDeclining}
        title={t('mine.declineTitle')}
        text={t('mine.declineText')}
        required={false}
        busy={answer.busy}
        // Where the other has asked already, the server wants a reason.
        onConfirm={(reason) =>
          answer.run({ placeId, accept: false, reason: reason || t('mine.declineReason') })
        }
      />
    </Card>
  );
}

/** The other person, when and where we meet, and what it costs. */
function WithWhom({ place }: { place: MyPlace }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const { role, way, other, waitsFor, timeZone } = place;
  return (
    <div className="flex items-center gap-3">
      <Avatar name={other.name} src={other.avatar} seed={other.id} size={44} />
      <div className="min-w-0 flex-1">
        <p className="text-lead font-semibold break-words">
          {t(waitsFor === 'joined' ? 'mine.joined' : role === 'driver' ? 'mine.take' : 'mine.rideWith', {
            name: other.name,
          })}
        </p>
        <p className="figures text-body text-ink-2">
          {t(way === 'there' ? 'mine.at' : 'mine.atBack', {
            time: format.whenInSentence(place.pickupAt, timeZone),
            place: place.place.name,
          })}
        </p>
        <p className="figures text-small text-ink-3">
          {t('seatsWanted', { count: place.seats })} ·{' '}
          {place.fareCents === 0 ? t('mine.free') : t('mine.fare', { amount: format.money(place.fareCents) })}
        </p>
      </div>
    </div>
  );
}

/** The state of the place once I have said yes. */
function WaitsFor({ place: { role, other, waitsFor } }: { place: MyPlace }) {
  const { t } = useTranslation('events');
  return (
    <p className="flex items-center gap-2 text-body text-ink-2">
      {waitsFor === 'joined' ? (
        <CircleCheck aria-hidden className="size-5 text-brand-ink" />
      ) : (
        <Clock aria-hidden className="size-5" />
      )}
      {waitsFor === 'joined'
        ? t('mine.accepted')
        : waitsFor === 'payment'
          ? t(`mine.toPay.${role}`, { name: other.name })
          : t('mine.waiting', { name: other.name })}
    </p>
  );
}

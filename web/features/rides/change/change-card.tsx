import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerChange, orderDetail } from '#contract/rides/endpoints.ts';
import type { Order, Ride } from '#contract/rides/views.ts';
import { useCall } from '../../../core/queries.ts';
import { SmallMap } from '../../../map/small-map.tsx';
import { TextButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { useDesktop } from '../../../ui/media.ts';
import { Banner, Card, Section } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useChangeRows } from './change-rows.ts';
import { ExpiresIn } from '../../../domain/ride/countdown.tsx';
import { useDrawing } from '../../../domain/ride/route-on-map.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { AnswerBar } from '../../../domain/booking/answer-bar.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/** Another time, price or route that is proposed: the present terms, the proposed ones, and my answer. */
export function ChangeSection({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const rowsOf = useChangeRows();
  const { change } = ride;
  if (change === null) return null;
  return (
    <Section title={t(ride.mine ? 'change.mine' : 'change.title', { name: shortName(ride.driver.name) })}>
      <Card className="flex flex-col gap-3">
        {change.way !== null && <BothWays rideId={ride.id} />}
        <dl className="flex flex-col gap-3">
          {rowsOf(ride, change).map(({ label, before, after }) => (
            <div key={label}>
              <dt className="text-small text-ink-3">{label}</dt>
              <dd className="figures flex flex-wrap items-baseline gap-x-2">
                <s className="text-body text-ink-3">
                  <span className="sr-only">{t('change.before')} </span>
                  {before}
                </s>
                <span className="text-lead font-semibold">
                  <span className="sr-only">{t('change.after')} </span>
                  {after}
                </span>
              </dd>
            </div>
          ))}
        </dl>
        {change.way?.beyondWindow === true && (
          <Banner kind="warn">{t(ride.mine ? 'change.beyondMine' : 'change.beyond')}</Banner>
        )}
        {change.note !== '' && (
          <p className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-line">
            {change.note}
          </p>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-3 text-small text-ink-2">
          <span>{t('change.accepted', { accepted: change.accepted, count: change.asked })}</span>
          <ExpiresIn at={change.expiresAt} />
        </div>
        <Answer ride={ride} change={change} />
      </Card>
    </Section>
  );
}

/**
 * The meaning of the two lines; on a phone with a small map, which a tap opens large. On a desktop they are
 * on the map next to the page.
 */
function BothWays({ rideId }: { rideId: string }) {
  const { t } = useTranslation('rides');
  const desktop = useDesktop();
  const { data } = useCall(orderDetail, { id: rideId }, { quiet: true, enabled: !desktop });
  const drawing = useDrawing(data);
  return (
    <div className="flex flex-col gap-2">
      {!desktop && (
        <SmallMap label={t('change.map')} {...drawing} className="-mx-4 -mt-4 h-40 rounded-t-control" />
      )}
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-small text-ink-2">
        <li className="flex items-center gap-2">
          <span aria-hidden className="h-1 w-6 rounded-full bg-ink" />
          {t('change.legendBefore')}
        </li>
        <li className="flex items-center gap-2">
          <span aria-hidden className="h-1.5 w-6 rounded-full bg-brand ring-1 ring-brand-ink" />
          {t('change.legendAfter')}
        </li>
      </ul>
    </div>
  );
}

function Answer({ ride, change }: { ride: Ride; change: NonNullable<Ride['change']> }) {
  const { t } = useTranslation('rides');
  const navigate = useNavigate();
  const withdrawing = useRideAction(answerChange, () => toast.done(t('change.withdrawn')));
  const changeId = change.id;
  if (change.may.includes('withdraw'))
    return (
      <div>
        <TextButton
          tone="danger"
          disabled={withdrawing.busy}
          onClick={() => withdrawing.run({ changeId, accept: false })}
        >
          {t('change.withdraw')}
        </TextButton>
      </div>
    );
  if (!change.may.includes('accept'))
    return ride.mine ? null : <p className="text-body text-ink-2">{t('change.waits')}</p>;
  return (
    <ChangeAnswer
      changeId={changeId}
      // My own request, where other rides are offered at once.
      onLeft={({ id }) => void navigate({ to: '/pages/order/detail', search: { id }, replace: true })}
    />
  );
}

/**
 * A passenger's yes or no to a proposed change. The no asks once more: with it the place in the ride is given
 * up.
 */
export function ChangeAnswer({
  changeId,
  onLeft = () => {},
}: {
  changeId: string;
  onLeft?: (request: Order) => void;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const [declining, setDeclining] = useState(false);
  const accepting = useRideAction(answerChange, () => toast.done(t('rides:change.acceptedDone')));
  const leaving = useRideAction(answerChange, ({ order }) => {
    setDeclining(false);
    toast.done(t('rides:change.declinedDone'));
    onLeft(order);
  });
  return (
    <>
      <AnswerBar
        accept={{ busy: accepting.busy, run: () => accepting.run({ changeId, accept: true }) }}
        decline={{ run: () => setDeclining(true) }}
      />
      <Confirm
        open={declining}
        onOpenChange={setDeclining}
        title={t('rides:change.declineTitle')}
        text={t('rides:change.declineText')}
        confirmLabel={t('rides:change.declineConfirm')}
        cancelLabel={t('common:back')}
        tone="danger"
        busy={leaving.busy}
        onConfirm={() => leaving.run({ changeId, accept: false })}
      />
    </>
  );
}

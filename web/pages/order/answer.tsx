import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleSlash, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerQuestion, readQuestion, type Question } from '#contract/notifications/endpoints.ts';
import { dropDraft } from '../../core/drafts.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { AnswerBar } from '../../domain/booking/answer-bar.tsx';
import { DeclineDialog } from '../../domain/booking/decline-dialog.tsx';
import { useHoldsAtOnce } from '../../domain/money/money-terms.ts';
import { useAmount } from '../../domain/money/price-lines.tsx';
import { PersonLine } from '../../domain/person/person-line.tsx';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';

/**
 * Where the answer links of an email lead: who asks, the ride, and one confirmation, without signing in.
 * Opening the page answers nothing, because mail programs open links too.
 */
export function Page() {
  const { t } = useTranslation('notifications');
  const title = usePageTitle();
  const { code = '', decline } = usePageSearch('/pages/order/answer');
  const reading = useCall(readQuestion, { code }, { enabled: code !== '', quiet: true });
  const [given, setGiven] = useState<{ question: Question; awaitsPayment: boolean } | null>(null);
  const question = given?.question ?? reading.data;
  if (question?.answer.state === 'open')
    return <Asked code={code} question={question} declines={decline === '1'} onGiven={setGiven} />;
  return (
    <PageLayout title={title} back>
      <QueryView
        query={reading}
        skeleton={{ kind: 'detail' }}
        isMissing={code === ''}
        missing={<EmptyState icon={<Link2Off />} title={t('answer.none')} text={t('answer.noneText')} />}
      >
        {(read) => <Over question={given?.question ?? read} given={given} />}
      </QueryView>
    </PageLayout>
  );
}

/** An open question, and the one tap that answers it. */
function Asked({
  code,
  question,
  declines,
  onGiven,
}: {
  code: string;
  question: Question;
  declines: boolean;
  onGiven: (given: { question: Question; awaitsPayment: boolean }) => void;
}) {
  const { t } = useTranslation(['notifications', 'rides']);
  const title = usePageTitle();
  const { answer, order } = question;
  const { to, name } = answer;
  const [rejecting, setRejecting] = useState(declines && to === 'ask');
  const answering = useAction(answerQuestion, {
    invalidates: ['/notification/', '/order/'],
    onDone: (done) => {
      dropDraft(`reject.${answer.id}`);
      setRejecting(false);
      onGiven(done);
    },
  });
  const acceptLabel = useAcceptLabel(question);
  return (
    <PageLayout
      title={title}
      back
      action={
        <AnswerBar
          full
          accept={{
            label: acceptLabel,
            busy: answering.busy && !rejecting,
            run: () => answering.run({ code, accept: true }),
          }}
          decline={{
            ...(to === 'change' ? { label: t('rides:change.declineConfirm') } : {}),
            run: () => (to === 'ask' ? setRejecting(true) : answering.run({ code, accept: false })),
          }}
        />
      }
    >
      <h2 className="pt-2 text-heading">{t(`notifications:answer.title.${to}`, { name })}</h2>
      <Card className="flex flex-col gap-4">
        {question.asker !== null && <PersonLine person={question.asker} />}
        {order !== null && <Facts order={order} />}
      </Card>
      <p className="text-small text-ink-2">{t(`notifications:answer.what.${to}`, { name })}</p>
      <DeclineDialog
        draft={`reject.${answer.id}`}
        open={rejecting}
        onOpenChange={setRejecting}
        title={t('rides:ask.rejectTitle', { name })}
        text={t('rides:ask.rejectText', { name })}
        required
        busy={answering.busy}
        onConfirm={(reason) => answering.run({ code, accept: false, reason })}
      />
    </PageLayout>
  );
}

/** Accepting an invitation to a paid ride says what will be authorized. */
function useAcceptLabel({ answer, order }: Question): string {
  const { t } = useTranslation('rides');
  const amount = useAmount();
  const holdsAtOnce = useHoldsAtOnce();
  if (answer.to !== 'invitation' || answer.holdCents === 0 || order === null) return t('ask.accept');
  const held = { amount: amount(answer.holdCents) };
  return holdsAtOnce(order.departsAt) ? t('next.accept', held) : t('next.acceptLater', held);
}

function Facts({ order }: { order: NonNullable<Question['order']> }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const amount = useAmount();
  const { from, to, departsAt, timeZone, price, proposal } = order;
  const priceOf = (cents: number) =>
    price === null || cents === 0 || price.per === 'share'
      ? amount(cents)
      : t(`answer.per.${price.per}`, { amount: amount(cents) });
  const now = proposal ?? { departsAt, cents: price?.cents ?? 0, isOtherWay: false };
  const was = (is: string, before: string) =>
    is === before ? is : t('answer.instead', { proposed: is, agreed: before });
  return (
    <>
      <PlacesLines from={{ name: from, detail: '' }} to={{ name: to, detail: '' }} timeZone={timeZone} big />
      <dl className="flex flex-col gap-2 border-t border-line pt-4">
        <Fact
          label={t('answer.when')}
          value={was(format.when(now.departsAt, timeZone), format.when(departsAt, timeZone))}
        />
        {price !== null && (
          <Fact label={t('answer.price')} value={was(priceOf(now.cents), priceOf(price.cents))} />
        )}
        {now.isOtherWay && <Fact label={t('answer.route')} value={t('answer.otherWay')} />}
      </dl>
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-body text-ink-2">{label}</dt>
      <dd className="figures text-right text-body font-semibold">{value}</dd>
    </div>
  );
}

/** The outcome of a question: answered just now or before, or no longer open. */
function Over({
  question: { answer, path },
  given,
}: {
  question: Question;
  given: { awaitsPayment: boolean } | null;
}) {
  const { t } = useTranslation('notifications');
  const { state, to, name } = answer;
  if (state === 'open' || state === 'over')
    return (
      <EmptyState
        icon={<CircleSlash />}
        title={t('answer.over')}
        text={t('answer.overText')}
        action={<OpenRide path={path} label={t('answer.open')} />}
      />
    );
  const isAccepted = state === 'accepted';
  const pays = given?.awaitsPayment === true && to === 'invitation';
  const text = pays
    ? t('answer.payText')
    : given === null
      ? t('answer.before')
      : given.awaitsPayment
        ? t('answer.awaitsPayment', { name })
        : t('answer.told', { name });
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={t(isAccepted ? 'answer.accepted' : 'answer.declined')}
      text={text}
      action={<OpenRide path={path} label={t(pays ? 'answer.pay' : 'answer.open')} />}
    />
  );
}

const OpenRide = ({ path, label }: { path: string; label: string }) => (
  <Link to={path} className={buttonVariants({ small: true })}>
    {label}
  </Link>
);

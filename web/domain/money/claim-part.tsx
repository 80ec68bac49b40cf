import { Scale } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '#contract/define.ts';
import { answerDispute, openDispute } from '#contract/payments/endpoints.ts';
import type { BookingPayment, Dispute } from '#contract/payments/views.ts';
import { reasonLength } from '#contract/units.ts';
import { dropDraft, useTextDraft } from '../../core/drafts.ts';
import { useNow } from '../../core/clock.ts';
import { useAction, type Action } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';
import { touchedByPayments } from './use-authorize.ts';

type Side = 'driver' | 'passenger';

/**
 * A passenger's objection to a payment: the way to make it while there is time, then both sides and the
 * decision.
 */
export function ClaimPart({
  bookingId,
  payment,
  side,
  otherName,
  timeZone,
}: {
  bookingId: string;
  payment: BookingPayment;
  side: Side;
  otherName: string;
  timeZone: string;
}) {
  const now = useNow(30_000);
  const { dispute, disputableUntil } = payment;
  if (dispute !== null) return <Standing dispute={dispute} side={side} />;
  const isMoney = payment.capturedCents > 0 || payment.owedCents > 0;
  if (side === 'driver' || !isMoney || disputableUntil === null || Date.parse(disputableUntil) <= now)
    return null;
  return (
    <Objection bookingId={bookingId} until={disputableUntil} otherName={otherName} timeZone={timeZone} />
  );
}

function Objection({
  bookingId,
  until,
  otherName,
  timeZone,
}: {
  bookingId: string;
  until: string;
  otherName: string;
  timeZone: string;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const draft = `dispute.${bookingId}`;
  const action = useAction(openDispute, {
    invalidates: touchedByPayments,
    onDone: () => {
      dropDraft(draft);
      setOpen(false);
      toast.done(t('dispute.sent'));
    },
    onRefused: (refused) => 'text' in refused.fields,
  });
  return (
    <div>
      <p className="text-small text-ink-3">
        {t('dispute.until', { when: format.whenInSentence(until, timeZone) })}
      </p>
      <TextButton onClick={() => setOpen(true)}>{t('dispute.open')}</TextButton>
      <WordsDialog
        draft={draft}
        open={open}
        onOpenChange={setOpen}
        title={t('dispute.dialogTitle')}
        text={t('dispute.dialogText', { name: otherName })}
        label={t('dispute.words')}
        sendLabel={t('dispute.send')}
        action={action}
        onSend={(text) => action.run({ bookingId, text })}
      />
    </div>
  );
}

function Standing({ dispute, side }: { dispute: Dispute; side: Side }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const refund = dispute.refundCents ?? 0;
  return (
    <section aria-label={t('dispute.title')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-body font-semibold">{t('dispute.title')}</h3>
        <StateChip tone={dispute.state === 'resolved' ? 'neutral' : 'warn'} icon={<Scale aria-hidden />}>
          {t(`dispute.state.${dispute.state}`)}
        </StateChip>
      </div>
      <Said by={t(`dispute.said.${side}`)} words={dispute.text} />
      {dispute.answer !== '' && <Said by={t(`dispute.answered.${side}`)} words={dispute.answer} />}
      {dispute.state === 'resolved' && (
        <Said
          by={t('dispute.decision')}
          words={[
            refund === 0
              ? t('dispute.refund.none')
              : t(`dispute.refund.${side}`, { amount: format.money(refund) }),
            dispute.decision,
          ].join('\n')}
        />
      )}
      {side === 'driver' && dispute.state === 'open' && <Answer disputeId={dispute.id} />}
    </section>
  );
}

function Said({ by, words }: { by: string; words: string }) {
  return (
    <blockquote className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-wrap">
      <span className="block text-small text-ink-3">{by}</span>
      {words}
    </blockquote>
  );
}

function Answer({ disputeId }: { disputeId: string }) {
  const { t } = useTranslation('payments');
  const [open, setOpen] = useState(false);
  const draft = `disputeAnswer.${disputeId}`;
  const action = useAction(answerDispute, {
    invalidates: touchedByPayments,
    onDone: () => {
      dropDraft(draft);
      setOpen(false);
      toast.done(t('dispute.answerSent'));
    },
    onRefused: (refused) => 'text' in refused.fields,
  });
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {t('dispute.answer')}
      </Button>
      <WordsDialog
        draft={draft}
        open={open}
        onOpenChange={setOpen}
        title={t('dispute.answerTitle')}
        text={t('dispute.answerText')}
        label={t('dispute.answerWords')}
        sendLabel={t('dispute.answerSend')}
        action={action}
        onSend={(text) => action.run({ disputeId, text })}
      />
    </>
  );
}

/** A few words to a person who decides. */
function WordsDialog<E extends Endpoint>({
  draft,
  open,
  onOpenChange,
  title,
  text,
  label,
  sendLabel,
  action,
  onSend,
}: {
  /** The key under which the words are stored until they are sent. */
  draft: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: string;
  label: string;
  sendLabel: string;
  action: Action<E>;
  onSend: (words: string) => void;
}) {
  const { t } = useTranslation('common');
  const [words, setWords] = useTextDraft(draft);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={text}
      closeLabel={t('close')}
      action={
        <Button full busy={action.busy} onClick={() => onSend(words)}>
          {sendLabel}
        </Button>
      }
    >
      <Field label={label} error={action.fields['text']}>
        <TextArea
          rows={4}
          maxLength={reasonLength}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            action.reset();
          }}
        />
      </Field>
    </Dialog>
  );
}

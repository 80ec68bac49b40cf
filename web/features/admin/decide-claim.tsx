import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resolveDispute, type AdminDispute } from '#contract/payments/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { errorWords } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, ChipRow } from '../../ui/chips.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField, TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

/** What can still be given back: what was taken or will be, less what was given back already. */
const mostOf = ({ payment }: AdminDispute) =>
  Math.max(
    0,
    (payment.capturedCents > 0 ? payment.capturedCents : payment.owedCents) - payment.refundedCents,
  );

/** The amount and the reason as they are chosen and typed, what is wrong with them, and sending them. */
function useDecision(dispute: AdminDispute, onClose: () => void) {
  const { t } = useTranslation('admin');
  const [refundCents, setRefundCents] = useState<number | null>(null);
  const [decision, setDecision, forgetDraft] = useTextDraft(`decide.${dispute.id}`);
  const decide = useAction(resolveDispute, {
    invalidates: ['/admin/'],
    onDone: () => {
      forgetDraft();
      onClose();
      toast.done(t('disputes.done'));
    },
    onRefused: (refused) => shownOf(refused.reason) !== null || Object.keys(refused.fields).length > 0,
  });
  const blamed =
    decide.error !== null && 'reason' in decide.error ? shownOf(String(decide.error.reason)) : null;
  const errorOf = (field: 'refundCents' | 'decision') =>
    decide.fields[field] ??
    (blamed === field && decide.error !== null ? errorWords(decide.error) : undefined);
  const change = (next: number | null) => {
    setRefundCents(next);
    decide.reset();
  };
  const write = (words: string) => {
    setDecision(words);
    decide.reset();
  };
  const send = () => decide.run({ disputeId: dispute.id, refundCents: refundCents ?? 0, decision });
  return { refundCents, change, decision, write, errorOf, busy: decide.busy, send };
}

/** Decides a dispute: an amount, a reason, and a button that says what will happen. */
export function DecideClaimDialog({ dispute, onClose }: { dispute: AdminDispute; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const format = useFormat();
  const most = mostOf(dispute);
  const { refundCents, change, decision, write, errorOf, busy, send } = useDecision(dispute, onClose);
  const chosen = refundCents ?? 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:disputes.decideTitle', { order: dispute.orderNumber })}
      description={t('admin:disputes.decideText')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={busy} disabled={refundCents === null} onClick={send}>
          {chosen === 0
            ? t('admin:disputes.confirmNone')
            : t('admin:disputes.confirm', { amount: format.money(chosen) })}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label={t('admin:disputes.amount')}
          hint={t('admin:disputes.amountHint', { amount: format.money(most) })}
          error={errorOf('refundCents')}
        >
          <MoneyField cents={refundCents} onChange={change} />
        </Field>
        <ChipRow label={t('admin:disputes.amount')}>
          <Chip selected={refundCents === 0} onClick={() => change(0)}>
            {t('admin:disputes.nothing')}
          </Chip>
          <Chip selected={most > 0 && refundCents === most} onClick={() => change(most)}>
            {t('admin:disputes.everything')}
          </Chip>
        </ChipRow>
        <Field label={t('admin:disputes.reason')} error={errorOf('decision')}>
          <TextArea
            value={decision}
            maxLength={reasonLength}
            onChange={(event) => write(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}

/** The field that a refusal is about. */
const shownOf = (reason: string): 'refundCents' | 'decision' | null =>
  reason === 'dispute.amountTooHigh' ? 'refundCents' : reason === 'dispute.reasonMissing' ? 'decision' : null;

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { cancelOrder, cancelPreview } from '#contract/rides/endpoints.ts';
import { dropDraft } from '../../../core/drafts.ts';
import { useConfig } from '../../../core/config.ts';
import { useMoneyTerms } from '../../../domain/money/money-terms.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { TextButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { ReasonDialog } from '../../../domain/booking/reason-dialog.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

type Preview = OutputOf<typeof cancelPreview>;
type Canceled = 'ride' | 'request' | 'ownPlace';

/** Cancels my ride, my request or my place in a ride, after saying what that would mean. */
export function CancelOrder({
  id,
  what,
  isPaid,
}: {
  id: string;
  what: Canceled;
  /** Money is authorized or will be. */
  isPaid: boolean;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const feeWords = useFeeWords();
  const consequencesOf = useConsequences(what, isPaid);
  const [open, setOpen] = useState(false);
  // Read when the question is asked: minutes decide what canceling means.
  const preview = useCall(cancelPreview, { id }, { enabled: open, staleTime: 0, quiet: true });
  const action = useRideAction(cancelOrder, () => {
    dropDraft(`cancel.${id}`);
    setOpen(false);
    toast.done(t(`cancel.${what}.done`));
  });
  const { data } = preview;
  const fee = data && feeWords(data);
  const consequences = data && consequencesOf(data);
  return (
    <>
      <TextButton tone="danger" onClick={() => setOpen(true)}>
        {t(`cancel.${what}.button`)}
      </TextButton>
      <ReasonDialog
        draft={`cancel.${id}`}
        open={open}
        onOpenChange={setOpen}
        title={t(`cancel.${what}.title`)}
        text={
          fee && consequences ? (
            <>
              <span className="block font-semibold text-ink">{fee.fee}</span>
              {consequences.length > 0 && <span className="block pt-2">{consequences.join(' ')}</span>}
            </>
          ) : preview.error === null ? (
            t('cancel.reading')
          ) : (
            <PartView query={preview}>{() => null}</PartView>
          )
        }
        choices={[
          t('cancel.why.plans'),
          t(what === 'ride' ? 'cancel.why.car' : 'cancel.why.other'),
          t('cancel.why.ill'),
        ]}
        required={what === 'ride' && (data?.joined ?? 0) > 0}
        confirmLabel={
          data && data.feeCents > 0
            ? t('cancel.ownPlace.confirmFee', { amount: format.money(data.feeCents) })
            : t(`cancel.${what}.confirm`)
        }
        busy={action.busy || !data}
        onConfirm={(reason) => action.run({ id, reason, seen: data?.seen ?? '' })}
      />
    </>
  );
}

/** The consequences in addition to the fee: who is notified, which money is released, and a strike. */
function useConsequences(what: Canceled, isPaid: boolean): (preview: Preview) => string[] {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const feeWords = useFeeWords();
  const strikes = useConfig().data?.strikes;
  return (data) => {
    const { instead } = feeWords(data);
    return [
      ...(instead === null ? [] : [instead]),
      ...(what === 'ride' && data.joined > 0 ? [t('cancel.told', { count: data.joined })] : []),
      ...(what === 'ride' && data.joined > 0 && isPaid ? [t('cancel.released')] : []),
      ...(what === 'ownPlace' ? [t('cancel.driverTold')] : []),
      ...(data.strike && strikes !== undefined
        ? [
            t('cancel.strike', {
              count: data.withinHours ?? strikes.withinHours,
              within: format.duration(strikes.withinHours * 3600),
            }),
          ]
        : []),
    ];
  };
}

/** The exact fee and where it comes from, and what not coming would cost instead. */
function useFeeWords(): (preview: Preview) => { fee: string; instead: string | null } {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const terms = useMoneyTerms();
  return ({ feeCents, fareCents, percent, isGrace }) => {
    if (fareCents === 0) return { fee: t('cancel.noFee'), instead: null };
    const notComing = terms?.cancellation.latePercent ?? 0;
    return {
      fee:
        feeCents > 0
          ? t('cancel.fee', { amount: format.money(feeCents), percent, fare: format.money(fareCents) })
          : t(isGrace ? 'cancel.grace' : 'cancel.noFeeReleased'),
      instead: percent < notComing ? t('cancel.noShow', { percent: notComing }) : null,
    };
  };
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelOrder, cancelPreview } from '#contract/rides/endpoints.ts';
import { useCall } from '../../base/queries.ts';
import { useFormat } from '../../base/use-format.ts';
import { TextButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { useRideAction } from './use-ride-action.ts';

/** Cancels my ride, my request or my place in a ride, after saying what that would mean. */
export function CancelOrder({ id, what }: { id: string; what: 'ride' | 'request' | 'ownPlace' }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const [open, setOpen] = useState(false);
  // Read when the question is asked: minutes decide what cancelling means.
  const preview = useCall(cancelPreview, { id }, { enabled: open, staleTime: 0 });
  const action = useRideAction(cancelOrder, () => {
    setOpen(false);
    toast.done(t(`cancel.${what}.done`));
  });
  const { data } = preview;
  const consequences = data && [
    data.feeCents === 0 ? t('cancel.noFee') : t('cancel.fee', { amount: format.money(data.feeCents) }),
    ...(what === 'ride' && data.joined > 0 ? [t('cancel.told', { count: data.joined })] : []),
    ...(what === 'ownPlace' ? [t('cancel.driverTold')] : []),
    ...(data.strike ? [t(`cancel.strike.${data.withinHours === '2' ? '2' : '24'}`)] : []),
  ];
  return (
    <>
      <TextButton tone="danger" onClick={() => setOpen(true)}>
        {t(`cancel.${what}.button`)}
      </TextButton>
      <ReasonDialog
        open={open}
        onOpenChange={setOpen}
        title={t(`cancel.${what}.title`)}
        text={consequences ? consequences.join(' ') : t('cancel.reading')}
        choices={[
          t('cancel.why.plans'),
          t(what === 'ride' ? 'cancel.why.car' : 'cancel.why.other'),
          t('cancel.why.ill'),
        ]}
        required={what === 'ride' && (data?.joined ?? 0) > 0}
        confirmLabel={t(`cancel.${what}.confirm`)}
        busy={action.busy || !data}
        onConfirm={(reason) => action.run({ id, reason })}
      />
    </>
  );
}

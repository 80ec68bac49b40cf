import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { breakOffAsAdmin } from '#contract/trips/interrupted-rides.ts';
import { breakOffKinds, type BreakOffKind } from '#contract/rides/moves.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Ends a ride for a driver who cannot. */
export function EndRide() {
  const { t } = useTranslation(['admin', 'common']);
  const [open, setOpen] = useState(false);
  const [orderNumber, setOrderNumber, forgetNumber] = useTextDraft('endRide.order');
  const [kind, setKind] = useState<BreakOffKind>('breakdown');
  const [reason, setReason, forgetReason] = useTextDraft('endRide.reason');
  const end = useAction(breakOffAsAdmin, {
    invalidates: ['/admin/'],
    onDone: () => {
      setOpen(false);
      forgetNumber();
      forgetReason();
      toast.done(t('admin:broken.ended'));
    },
    onRefused: (refused) => Object.keys(refused.fields).length > 0,
  });
  return (
    <div>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        {t('admin:broken.end')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('admin:broken.endTitle')}
        description={t('admin:broken.endText')}
        closeLabel={t('common:close')}
        action={
          <Button full tone="danger" busy={end.busy} onClick={() => end.run({ orderNumber, kind, reason })}>
            {t('admin:broken.endConfirm')}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <Field label={t('admin:broken.orderNumber')} error={end.fields['orderNumber']}>
            <TextInput
              value={orderNumber}
              autoCapitalize="characters"
              onChange={(event) => {
                setOrderNumber(event.target.value);
                end.reset();
              }}
            />
          </Field>
          <SegmentedControl
            label={t('admin:broken.why')}
            options={breakOffKinds.map((value) => ({ value, label: t(`admin:broken.kind.${value}`) }))}
            value={kind}
            onChange={setKind}
          />
          <Field label={t('admin:broken.reason')} error={end.fields['reason']}>
            <TextArea
              value={reason}
              maxLength={reasonLength}
              onChange={(event) => {
                setReason(event.target.value);
                end.reset();
              }}
            />
          </Field>
        </div>
      </Dialog>
    </div>
  );
}

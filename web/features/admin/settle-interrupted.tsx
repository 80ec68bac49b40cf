import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { settleBroken, type BrokenRide } from '#contract/trips/interrupted-rides.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, ChipRow } from '../../ui/chips.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField, TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

/** A passenger who was on board of a ride that ended on the way. */
export type InterruptedPlace = BrokenRide['aboard'][number];

/** Decides one share: what was ridden, or less with a reason, and a button that says what will happen. */
export function SettleDialog({ place, onClose }: { place: InterruptedPlace; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const format = useFormat();
  const { shareCents: most } = place;
  const [cents, setCents] = useState<number | null>(most);
  const [note, setNote, forgetDraft] = useTextDraft(`settle.${place.bookingId}`);
  const settle = useAction(settleBroken, {
    invalidates: ['/admin/'],
    onDone: () => {
      forgetDraft();
      onClose();
      toast.done(t('admin:broken.done'));
    },
    onRefused: (refused) => Object.keys(refused.fields).length > 0,
  });
  const chosen = cents ?? 0;
  const change = (next: number | null) => {
    setCents(next);
    settle.reset();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:broken.settleTitle', { name: place.passenger?.name ?? t('admin:gone') })}
      description={t('admin:broken.settleText', { share: format.money(most) })}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={settle.busy}
          disabled={cents === null}
          onClick={() => settle.run({ bookingId: place.bookingId, shareCents: chosen, note })}
        >
          {chosen === 0
            ? t('admin:broken.confirmNone')
            : t('admin:broken.confirm', { amount: format.money(chosen) })}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <AmountField cents={cents} most={most} error={settle.fields['shareCents']} onChange={change} />
        <Field
          label={t('admin:broken.note')}
          {...(chosen < most ? {} : { note: t('common:optional') })}
          error={settle.fields['note']}
        >
          <TextArea
            value={note}
            maxLength={reasonLength}
            onChange={(event) => {
              setNote(event.target.value);
              settle.reset();
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}

/** The decided amount: typed, all that was ridden, or nothing. */
function AmountField({
  cents,
  most,
  error,
  onChange,
}: {
  cents: number | null;
  most: number;
  error: string | undefined;
  onChange: (cents: number | null) => void;
}) {
  const { t } = useTranslation('admin');
  return (
    <>
      <Field label={t('broken.amount')} error={error}>
        <MoneyField cents={cents} onChange={onChange} />
      </Field>
      <ChipRow label={t('broken.amount')}>
        <Chip selected={cents === most} onClick={() => onChange(most)}>
          {t('broken.asRidden')}
        </Chip>
        <Chip selected={cents === 0} onClick={() => onChange(0)}>
          {t('broken.nothing')}
        </Chip>
      </ChipRow>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { maxSeats } from '#contract/units.ts';
import { Field } from '../../ui/field.tsx';
import { NumberStepper } from '../../ui/inputs.tsx';

/** How many seats are offered or needed. */
export function SeatsField({
  label,
  seats,
  error,
  onChange,
}: {
  label: string;
  seats: number;
  error?: string | undefined;
  onChange: (seats: number) => void;
}) {
  const { t } = useTranslation('planning');
  return (
    <Field label={label} error={error}>
      <NumberStepper
        value={seats}
        onChange={onChange}
        max={maxSeats}
        words={{ less: t('seats.less'), more: t('seats.more') }}
        shown={(count) => t('seats.count', { count })}
      />
    </Field>
  );
}

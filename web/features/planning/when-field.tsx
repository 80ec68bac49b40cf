import { useTranslation } from 'react-i18next';
import { now } from '../../core/clock.ts';
import { zoneName } from '../../core/format.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import { Field } from '../../ui/field.tsx';
import { DateTimeField } from '../../ui/inputs.tsx';

/** Date and time at the starting place, with its zone's name beside. */
export function WhenField({
  label,
  local,
  zone,
  error,
  onChange,
}: {
  label: string;
  local: string;
  zone: string | null;
  error?: string | undefined;
  onChange: (local: string) => void;
}) {
  const { t } = useTranslation('common');
  const at = zone === null ? null : instantOf(local, zone);
  return (
    <Field label={label} error={error}>
      <DateTimeField
        value={local}
        onChange={onChange}
        required
        zone={zone === null ? '' : zoneName(at ?? new Date(now()).toISOString(), zone)}
        {...(zone === null ? { disabled: true, 'aria-label': t('loading') } : { min: localOf(now(), zone) })}
      />
    </Field>
  );
}

import { useTranslation } from 'react-i18next';
import { now, useNow } from '../../core/clock.ts';
import { useFormat } from '../../core/use-format.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import { DayTimeField } from '../../ui/day-time-field.tsx';
import { Field } from '../../ui/field.tsx';

/** Day and time at the starting place; its zone next to them where it is not the device's. */
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
  const format = useFormat();
  useNow(60_000);
  const at = zone === null ? null : instantOf(local, zone);
  const shownAt = at ?? new Date(now()).toISOString();
  return (
    <Field label={label} error={error}>
      <DayTimeField
        value={local}
        onChange={onChange}
        today={localOf(now(), zone ?? 'UTC').slice(0, 10)}
        nameOf={(day) => format.day(`${day}T12:00:00Z`, 'UTC')}
        words={{
          today: t('when.today'),
          tomorrow: t('when.tomorrow'),
          pick: t('when.pick'),
          date: t('when.date'),
          time: t('when.time'),
        }}
        zone={zone === null ? '' : format.foreignZone(shownAt, zone)}
        invalid={error !== undefined}
        disabled={zone === null}
      />
    </Field>
  );
}

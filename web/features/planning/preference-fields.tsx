import { Luggage, PawPrint, Venus, VolumeX, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { preferenceNames, type PreferenceName, type Preferences } from '#contract/rides/preferences.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';

const icons: Record<PreferenceName, LucideIcon> = {
  pets: PawPrint,
  luggage: Luggage,
  quiet: VolumeX,
  women: Venus,
};

/**
 * What the other one should know first: pets, large luggage, quiet; among women, where one's own profile says
 * female.
 */
export function PreferenceFields({
  side,
  value,
  error,
  onChange,
}: {
  side: 'driver' | 'passenger';
  value: Preferences;
  error: string | undefined;
  onChange: (value: Preferences) => void;
}) {
  const { t } = useTranslation('planning');
  const { data: profile } = useCall(readProfile, {}, { quiet: true });
  // What was chosen before a profile changed stays to be taken back.
  const offered = preferenceNames.filter(
    (name) => name !== 'women' || profile?.gender === 'female' || value.women,
  );
  return (
    <div id="field-preferences">
      <Field label={t(`preferences.${side}.label`)} labelHidden error={error}>
        <div className="divide-y divide-line">
          {offered.map((name) => {
            const Icon = icons[name];
            return (
              <div key={name} className="flex items-center gap-3">
                <Icon aria-hidden className="size-5 shrink-0 text-ink-2" />
                <div className="min-w-0 flex-1">
                  <Switch
                    label={t(`preferences.${side}.${name}`)}
                    detail={t(`preferences.${side}.${name}Detail`)}
                    checked={value[name]}
                    onChange={(chosen) => onChange({ ...value, [name]: chosen })}
                  />
                </div>
              </div>
            );
          })}
        </div>
      </Field>
    </div>
  );
}

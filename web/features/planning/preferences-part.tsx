import { Luggage, PawPrint, Venus, VolumeX, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { preferenceNames, type PreferenceName } from '#contract/rides/preferences.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { FormPart } from './form-part.tsx';
import { usePlanContext } from './use-plan.ts';

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
export function PreferencesPart() {
  const { t } = useTranslation('planning');
  const { kind, values, errorOf, set } = usePlanContext();
  const { side } = kind;
  const value = values.preferences;
  const { data: profile } = useCall(readProfile, {}, { quiet: true });
  // What was chosen before a profile changed stays to be taken back.
  const offered = preferenceNames.filter(
    (name) => name !== 'women' || profile?.gender === 'female' || value.women,
  );
  return (
    <FormPart title={t('part.preferences')}>
      <div id="field-preferences">
        <Field label={t(`preferences.${side}.label`)} labelHidden error={errorOf('preferences')}>
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
                      onChange={(chosen) => set('preferences', { ...value, [name]: chosen })}
                    />
                  </div>
                </div>
              );
            })}
          </div>
        </Field>
      </div>
    </FormPart>
  );
}

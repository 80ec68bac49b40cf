import { useTranslation } from 'react-i18next';
import { preferenceNames, type Preferences } from '#contract/rides/preferences.ts';

/** What was chosen, as one line of a review; none where nothing was. */
export function usePreferenceFacts(
  role: 'driver' | 'passenger',
  chosen: Preferences,
): { label: string; value: string }[] {
  const { t } = useTranslation('planning');
  const names = preferenceNames.filter((name) => chosen[name]);
  if (names.length === 0) return [];
  return [
    {
      label: t('part.preferences'),
      value: names.map((name) => t(`preferences.${role}.${name}`)).join(' · '),
    },
  ];
}

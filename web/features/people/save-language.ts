import { useTranslation } from 'react-i18next';
import { saveProfile, type Profile } from '#contract/user/endpoints.ts';
import type { Language } from '../../core/preferred-language.ts';
import { useAction } from '../../core/queries.ts';
import { toast } from '../../ui/toasts.tsx';
import { fieldsOf } from './profile-fields.ts';
import { cacheProfile } from './profile-cache.ts';

/** Keeps the chosen language with the profile, so that emails come in it too. */
export function useSaveLanguage(profile: Profile): (language: Language) => void {
  const { t } = useTranslation('people');
  const save = useAction(saveProfile, {
    onDone: (saved) => {
      cacheProfile(saved);
      toast.done(t('settings.languageSaved'));
    },
  });
  return (language) => save.run({ ...fieldsOf(profile), language });
}

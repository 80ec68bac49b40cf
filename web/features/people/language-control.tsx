import { useTranslation } from 'react-i18next';
import { currentLanguage, setLanguage } from '../../core/i18n.ts';
import { languages, type Language } from '../../core/preferred-language.ts';
import { SegmentedControl } from '../../ui/choices.tsx';

/** English or Chinese, shown at once; `onChosen` may keep it with the profile. */
export function LanguageControl({ onChosen }: { onChosen?: (language: Language) => void }) {
  const { t } = useTranslation(['people', 'common']);
  return (
    <SegmentedControl
      label={t('people:profile.language')}
      options={languages.map((value) => ({ value, label: t(`common:language.${value}`) }))}
      value={currentLanguage()}
      onChange={(language) => void setLanguage(language).then(() => onChosen?.(language))}
    />
  );
}

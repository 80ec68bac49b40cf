import { useTranslation } from 'react-i18next';

/** The meaning of the lines on the map, by form and color. */
export function MatchLegend({ walks }: { walks: boolean }) {
  const { t } = useTranslation('planning');
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-small text-ink-2">
      <li className="flex items-center gap-2">
        <span aria-hidden className="h-1 w-6 rounded-full bg-ink" />
        {t('map.own')}
      </li>
      <li className="flex items-center gap-2">
        <span aria-hidden className="h-1.5 w-6 rounded-full bg-brand ring-1 ring-brand-ink" />
        {t('map.shared')}
      </li>
      {walks && (
        <li className="flex items-center gap-2">
          <span aria-hidden className="w-6 border-t-4 border-dotted border-ink" />
          {t('map.walk')}
        </li>
      )}
    </ul>
  );
}

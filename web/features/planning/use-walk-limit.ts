import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';

/** A walking limit in words. */
export function useWalkLimit(): (metres: number) => string {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (metres) => (metres === 0 ? t('walk.none') : t('walk.upTo', { time: format.walk(metres) }));
}

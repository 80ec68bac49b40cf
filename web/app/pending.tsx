import { useTranslation } from 'react-i18next';
import { Skeleton } from '../ui/skeleton.tsx';

/** While a page's file is on its way. */
export function Pending() {
  const { t } = useTranslation();
  return (
    <main className="h-full bg-page px-4 pt-16">
      <Skeleton label={t('loading')} />
    </main>
  );
}

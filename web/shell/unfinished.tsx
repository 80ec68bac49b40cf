import { Hammer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePage, usePageTitle } from '../base/navigation.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/surfaces.tsx';

/** Holds the place of a page that is still to be written. */
export function Unfinished() {
  const { t } = useTranslation();
  const title = usePageTitle();
  const { tab } = usePage();
  return (
    <Page title={title} back={!tab}>
      <EmptyState icon={<Hammer />} title={t('soon')} />
    </Page>
  );
}

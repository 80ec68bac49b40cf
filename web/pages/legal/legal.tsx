import { Link } from '@tanstack/react-router';
import { CarFront, FileText, HandCoins, MessageSquareText, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';

const documents = [
  ['teams', 'terms', FileText],
  ['privacy', 'privacy', ShieldCheck],
  ['optin', 'optin', MessageSquareText],
  ['carpool', 'carpoolRules', CarFront],
  ['payment', 'paymentRules', HandCoins],
] as const;

/** The index of the legal documents. */
export function Page() {
  const { t } = useTranslation(['legal', 'common']);
  return (
    <PageLayout title={usePageTitle()} back>
      <p className="text-body text-ink-2">{t('legal:index.text')}</p>
      <List>
        {documents.map(([name, title, Icon]) => (
          <li key={name}>
            <Link to={`/pages/legal/${name}`} className={rowVariants}>
              <RowContent
                leading={<Icon aria-hidden className="text-ink-2" />}
                title={t(`common:titles.${title}`)}
                detail={t(`legal:index.${name}`)}
                chevron
              />
            </Link>
          </li>
        ))}
      </List>
    </PageLayout>
  );
}

import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Where an outside provider would send people back to. None is set up, so it says so and offers the e-mail. */
export function Page() {
  const { t } = useTranslation('access');
  const { returnTo } = usePageQuery();
  return (
    <Frame title={usePageTitle()} back>
      <EmptyState
        icon={<KeyRound />}
        title={t('oauth.title')}
        text={t('oauth.text')}
        action={
          <Link to="/pages/auth/auth" search={{ returnTo }} className={buttonLook({ small: true })}>
            {t('oauth.action')}
          </Link>
        }
      />
    </Frame>
  );
}

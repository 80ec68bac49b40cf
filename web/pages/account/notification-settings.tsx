import { Link } from '@tanstack/react-router';
import { BellRing, Radio, Wifi } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLiveState } from '../../base/live.ts';
import { usePageTitle } from '../../base/navigation.ts';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Banner, List, ListRow, Section } from '../../ui/surfaces.tsx';

/** Notification settings: what reaches me, and how this browser stands. */
export function Page() {
  const { t } = useTranslation('people');
  const live = useLiveState();
  const permission = 'Notification' in window ? Notification.permission : 'unsupported';
  return (
    <Frame title={usePageTitle()} back>
      <Section title={t('notifications.live')}>
        <List>
          <ListRow
            leading={<Radio aria-hidden className="text-brand-ink" />}
            title={t('notifications.liveTitle')}
            detail={t('notifications.liveText')}
          />
          <ListRow
            leading={<Wifi aria-hidden className="text-ink-2" />}
            title={t('notifications.connection')}
            detail={t(`notifications.${live}`)}
          />
        </List>
      </Section>
      <Section title={t('notifications.browser')}>
        <List>
          <ListRow
            leading={<BellRing aria-hidden className="text-ink-2" />}
            title={t('notifications.permission')}
            detail={t(`notifications.${permission}`)}
          />
        </List>
      </Section>
      <Banner kind="info">{t('notifications.off')}</Banner>
      <Link to="/pages/legal/optin" className={buttonLook({ tone: 'quiet', full: true })}>
        {t('notifications.optin')}
      </Link>
    </Frame>
  );
}

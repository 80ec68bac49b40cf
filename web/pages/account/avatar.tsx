import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { WithProfile } from '../../rooms/people/profile-query.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Banner, Card } from '../../ui/surfaces.tsx';

/** My picture as others see it. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <Frame title={usePageTitle()} back>
      <WithProfile rows={1}>
        {({ id, name, avatar }) => (
          <>
            <Card className="flex flex-col items-center gap-4 py-8 text-center">
              <Avatar name={name} src={avatar} seed={id} size={160} label={t('avatar.current')} />
              <h2 className="text-heading break-words">{name}</h2>
              <p className="max-w-xs text-body text-ink-2">
                {t(avatar === '' ? 'avatar.initials' : 'avatar.hasPhoto')}
              </p>
            </Card>
            <Banner kind="info">{t('avatar.noUpload')}</Banner>
            <Link to="/pages/account/settings2" className={buttonLook({ tone: 'quiet', full: true })}>
              {t('avatar.action')}
            </Link>
          </>
        )}
      </WithProfile>
    </Frame>
  );
}

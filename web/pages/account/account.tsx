import { Link } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { useSession } from '../../core/use-session.ts';
import { NewsBell } from '../../features/notifications/news-bell.tsx';
import { InstallRow } from '../../features/notifications/this-device.tsx';
import { DeletionBanner } from '../../features/people/delete-account.tsx';
import { LanguageControl } from '../../features/people/language-control.tsx';
import { FirstSteps } from '../../features/people/first-steps.tsx';
import { AccountMenu } from '../../features/people/menu.tsx';
import { ProfileCard } from '../../features/people/profile-card.tsx';
import { WithProfile } from '../../features/people/profile-query.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { useDesktop } from '../../ui/media.ts';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';

/** The Account tab. On a desktop its menu is the pane next to it. */
export function Page() {
  const { signedIn } = useSession();
  const desktop = useDesktop();
  return (
    <PageLayout title={usePageTitle()} tools={signedIn ? <NewsBell /> : undefined}>
      {signedIn ? (
        <WithProfile rows={6}>
          {(profile) => (
            <>
              {profile.deletionDueAt !== null && <DeletionBanner dueAt={profile.deletionDueAt} />}
              <ProfileCard profile={profile} />
              <FirstSteps profile={profile} />
              {!desktop && <AccountMenu profile={profile} />}
              <InstallRow />
            </>
          )}
        </WithProfile>
      ) : (
        <>
          <GuestCard />
          <LanguageControl />
          {!desktop && <AccountMenu profile={null} />}
          <InstallRow />
        </>
      )}
    </PageLayout>
  );
}

const here = '/pages/account/account';

function GuestCard() {
  const { t } = useTranslation(['people', 'common']);
  return (
    <Card>
      <EmptyState
        icon={<CircleUserRound />}
        title={t('people:account.guestTitle')}
        text={t('people:account.guestText')}
        action={
          <span className="flex flex-wrap justify-center gap-3">
            <Link
              to="/pages/auth/auth"
              search={{ returnTo: here }}
              className={buttonVariants({ small: true })}
            >
              {t('common:signIn')}
            </Link>
            <Link
              to="/pages/auth/signup"
              search={{ returnTo: here }}
              className={buttonVariants({ tone: 'quiet', small: true })}
            >
              {t('common:signUp')}
            </Link>
          </span>
        }
      />
    </Card>
  );
}

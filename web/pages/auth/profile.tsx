import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { forgetInvitation, invitation } from '../../core/invitation.ts';
import { useAfterSignIn, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useSession } from '../../core/use-session.ts';
import { StepHeading } from '../../features/access/heading.tsx';
import { FirstProfile } from '../../features/people/first-profile.tsx';
import { WithProfile } from '../../features/people/profile-query.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner } from '../../ui/surfaces.tsx';

/** Completes the profile after the first sign-in, then leads to where the person was going. */
export function Page() {
  const { t } = useTranslation(['access', 'contacts']);
  const title = usePageTitle();
  const { returnTo } = usePageSearch('/pages/auth/profile');
  const { signedIn } = useSession();
  const goOn = useAfterSignIn();
  const inviter = invitation();
  if (!signedIn) return <Navigate to="/pages/auth/auth" search={{ returnTo }} replace />;
  return (
    <PageLayout title={title}>
      <StepHeading title={t('access:profile.heading')}>{t('access:profile.text')}</StepHeading>
      {inviter !== '' && <Banner kind="info">{t('contacts:invite.wasInvited')}</Banner>}
      <WithProfile>
        {(profile) => (
          <FirstProfile
            profile={profile}
            inviter={inviter}
            onSaved={() => {
              forgetInvitation();
              goOn();
            }}
          />
        )}
      </WithProfile>
    </PageLayout>
  );
}

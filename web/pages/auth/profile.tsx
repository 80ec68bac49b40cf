import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createUser } from '#contract/user/endpoints.ts';
import { useAfterSignIn, usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useSession } from '../../base/session.ts';
import { StepHeading } from '../../rooms/access/heading.tsx';
import { ProfileForm } from '../../rooms/people/profile-form.tsx';
import { WithProfile } from '../../rooms/people/profile-query.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Completes the profile after the first sign-in, then leads to where the person was going. */
export function Page() {
  const { t } = useTranslation('access');
  const title = usePageTitle();
  const { returnTo } = usePageQuery();
  const { signedIn } = useSession();
  const goOn = useAfterSignIn();
  if (!signedIn) return <Navigate to="/pages/auth/auth" search={{ returnTo }} replace />;
  return (
    <Frame title={title}>
      <StepHeading title={t('profile.heading')}>{t('profile.text')}</StepHeading>
      <WithProfile>
        {(profile) => (
          <ProfileForm
            profile={profile}
            endpoint={createUser}
            submitLabel={t('profile.save')}
            withLanguage
            onSaved={goOn}
          />
        )}
      </WithProfile>
    </Frame>
  );
}

import { usePageTitle } from '../../core/navigation.ts';
import { SignInFlow } from '../../features/access/sign-in-flow.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

/** Signing in where the e-mail was asked for first. */
export function Page() {
  return (
    <PageLayout title={usePageTitle()} back>
      <SignInFlow signUpAt="/pages/auth/signup" />
    </PageLayout>
  );
}

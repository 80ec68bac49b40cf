import { usePageTitle } from '../../core/navigation.ts';
import { DemoSignIns } from '../../features/access/demo-sign-ins.tsx';
import { SignInFlow } from '../../features/access/sign-in-flow.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

/** The classic sign-in: e-mail or phone number with a password. */
export function Page() {
  return (
    <PageLayout title={usePageTitle()} back>
      <SignInFlow signUpAt="/pages/login/signup">
        <DemoSignIns />
      </SignInFlow>
    </PageLayout>
  );
}

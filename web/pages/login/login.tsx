import { usePageTitle } from '../../core/navigation.ts';
import { DemoSignIns } from '../../features/access/demo-sign-ins.tsx';
import { SignInFlow } from '../../features/access/sign-in-flow.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** The classic sign-in: e-mail or phone number with a password. */
export function Page() {
  return (
    <Frame title={usePageTitle()} back>
      <SignInFlow signUpAt="/pages/login/signup">
        <DemoSignIns />
      </SignInFlow>
    </Frame>
  );
}

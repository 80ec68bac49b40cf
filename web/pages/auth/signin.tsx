import { usePageTitle } from '../../core/navigation.ts';
import { SignInFlow } from '../../features/access/sign-in-flow.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Signing in where the e-mail was asked for first. */
export function Page() {
  return (
    <Frame title={usePageTitle()} back>
      <SignInFlow signUpAt="/pages/auth/signup" />
    </Frame>
  );
}

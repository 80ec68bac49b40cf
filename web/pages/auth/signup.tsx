import { usePageTitle } from '../../core/navigation.ts';
import { SignUpFlow } from '../../features/access/sign-up-flow.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Signing up step by step. */
export function Page() {
  return (
    <Frame title={usePageTitle()} back>
      <SignUpFlow />
    </Frame>
  );
}

import { usePageTitle } from '../../core/navigation.ts';
import { SignUpFlow } from '../../features/access/sign-up-flow.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

/** Signing up step by step. */
export function Page() {
  return (
    <PageLayout title={usePageTitle()} back>
      <SignUpFlow />
    </PageLayout>
  );
}

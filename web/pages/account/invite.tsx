import { usePageTitle } from '../../core/navigation.ts';
import { Invite } from '../../features/contacts/invite.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

/** Invites friends by link and QR code, by e-mail or text message. */
export function Page() {
  return (
    <PageLayout title={usePageTitle()} back>
      <Invite />
    </PageLayout>
  );
}

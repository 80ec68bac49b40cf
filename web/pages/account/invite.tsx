import { usePageTitle } from '../../core/navigation.ts';
import { Invite } from '../../features/contacts/invite.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Invites friends by link and QR code, by e-mail or text message. */
export function Page() {
  return (
    <Frame title={usePageTitle()} back>
      <Invite />
    </Frame>
  );
}

import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { Invite } from '../../rooms/people/invite.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Invites friends by link and QR code. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <Frame title={usePageTitle()} back>
      <Invite heading={t('invite.heading')} text={t('invite.text')} />
    </Frame>
  );
}

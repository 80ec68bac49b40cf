import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { Invite } from '../../rooms/people/invite.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Adds somebody by bringing them here. */
export function Page() {
  const { t } = useTranslation('contacts');
  return (
    <Frame title={usePageTitle()} back>
      <Invite heading={t('add.heading')} text={t('add.text')} />
    </Frame>
  );
}

import { MessageCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { roomList } from '#contract/chat/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { useDesktop } from '../../ui/media.ts';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Rooms } from './rooms.tsx';

/** My chat rooms; on a desktop they are in the pane next to this page, which waits for one to be opened. */
export function Page() {
  const { t } = useTranslation('chat');
  const title = usePageTitle();
  const desktop = useDesktop();
  const hasRooms = (useCall(roomList, {}, { quiet: true }).data?.rooms.length ?? 0) > 0;
  return (
    <PageLayout title={title} back>
      {!desktop && <Rooms />}
      {desktop && hasRooms && (
        <EmptyState icon={<MessageCircle />} title={t('chooseTitle')} text={t('chooseText')} />
      )}
    </PageLayout>
  );
}

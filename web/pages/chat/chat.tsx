import { Link } from '@tanstack/react-router';
import { MessageCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { roomList } from '#contract/chat/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/session.ts';
import { RoomRow } from '../../features/chat/room-row.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState, List, Skeleton } from '../../ui/surfaces.tsx';

/** My chat rooms, the latest first. */
export function Page() {
  const { t } = useTranslation(['chat', 'common']);
  const title = usePageTitle();
  const { user } = useSession();
  const { data, isPending, error, refetch } = useCall(roomList, {});
  return (
    <PageLayout title={title} back>
      {isPending ? (
        <Skeleton label={t('common:loading')} />
      ) : !data ? (
        <ErrorState
          title={t('chat:listFailed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : data.rooms.length === 0 ? (
        <EmptyState
          icon={<MessageCircle />}
          title={t('chat:emptyTitle')}
          text={t('chat:emptyText')}
          action={
            <Link to="/pages/order/order" className={buttonVariants({ small: true })}>
              {t('chat:toRides')}
            </Link>
          }
        />
      ) : (
        <List label={title}>
          {data.rooms.map((room) => (
            <RoomRow key={room.roomid} room={room} ownId={user.id} />
          ))}
        </List>
      )}
    </PageLayout>
  );
}

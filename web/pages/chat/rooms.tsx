import { Link } from '@tanstack/react-router';
import { MessageCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { roomList } from '#contract/chat/endpoints.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { RoomRow } from '../../features/chat/room-row.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { EmptyState, List } from '../../ui/surfaces.tsx';

/** My chat rooms, the latest first. The room that is open is marked. */
export function Rooms() {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation();
  const { user } = useSession();
  const rooms = useCall(roomList, {});
  return (
    <QueryView query={rooms} failed={t('listFailed')} skeleton={{ rows: 6 }}>
      {(data) =>
        data.rooms.length === 0 ? (
          <EmptyState
            icon={<MessageCircle />}
            title={t('emptyTitle')}
            text={t('emptyText')}
            action={
              <Link to="/pages/order/order" className={buttonVariants({ small: true })}>
                {t('toRides')}
              </Link>
            }
          />
        ) : (
          <List label={common('titles.chat')}>
            {data.rooms.map((room) => (
              <RoomRow key={room.roomid} room={room} ownId={user.id} />
            ))}
          </List>
        )
      }
    </QueryView>
  );
}

import { Link } from '@tanstack/react-router';
import { ChevronRight, Lock, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { roomDetail, type Room } from '#contract/chat/endpoints.ts';
import { orderDetail } from '#contract/rides/endpoints.ts';
import { errorWords, Refused } from '../../base/errors.ts';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { useSession } from '../../base/session.ts';
import { useFormat } from '../../base/use-format.ts';
import { Composer } from '../../rooms/chat/composer.tsx';
import { Conversation } from '../../rooms/chat/conversation.tsx';
import { namesOf } from '../../rooms/chat/room-row.tsx';
import { useDrawing } from '../../rooms/rides/route-on-map.tsx';
import { useBackdrop } from '../../shell/backdrop.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/surfaces.tsx';

/** One room of a ride: what was said, live, and where to say more. */
export function Page() {
  const { t } = useTranslation(['chat', 'common']);
  const title = usePageTitle();
  const { roomid = '' } = usePageQuery();
  const { user } = useSession();
  const {
    data: room,
    error,
    refetch,
  } = useCall(roomDetail, { roomid }, { enabled: roomid !== '', quiet: true });
  const ride = useCall(orderDetail, { id: room?.rideId ?? '' }, { enabled: room !== undefined, quiet: true });
  useBackdrop(useDrawing(ride.data));

  if (!room) {
    return (
      <Frame title={title} back>
        {roomid === '' || error instanceof Refused ? (
          <EmptyState icon={<SearchX />} title={t('chat:missingTitle')} text={t('chat:missingText')} />
        ) : error ? (
          <ErrorState
            title={t('chat:failed')}
            text={errorWords(error)}
            retryLabel={t('common:retry')}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeleton label={t('common:loading')} />
        )}
      </Frame>
    );
  }
  return (
    <Frame
      title={namesOf(room, user.id) || t('chat:alone')}
      back
      bare
      header={<RideLine room={room} />}
      action={
        room.closed ? (
          <p className="flex min-h-12 items-center justify-center gap-2 text-center text-body text-ink-2">
            <Lock aria-hidden className="size-5 shrink-0" />
            {t('chat:closed')}
          </p>
        ) : (
          <Composer roomid={roomid} />
        )
      }
    >
      <Conversation key={roomid} room={room} ownId={user.id} />
    </Frame>
  );
}

/** Which ride this room belongs to; opens it. */
function RideLine({ room }: { room: Room }) {
  const format = useFormat();
  const { from, to, departsAt, timeZone } = room.title;
  return (
    <Link
      to="/pages/order/detail"
      search={{ id: room.rideId }}
      className="flex min-h-11 items-center gap-2 rounded-control bg-surface px-3 py-1.5 shadow-card hover:bg-page"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-body font-semibold">
          {from} → {to}
        </span>
        <span className="figures block text-small text-ink-3">{format.when(departsAt, timeZone)}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

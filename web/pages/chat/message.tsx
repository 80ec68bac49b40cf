import { Link } from '@tanstack/react-router';
import { ChevronRight, Lock, SearchX } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { roomDetail, type Message, type Room } from '#contract/chat/endpoints.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView, type Read } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { Composer } from '../../features/chat/composer.tsx';
import { Conversation } from '../../features/chat/conversation.tsx';
import { MessageSheet } from '../../features/chat/message-sheet.tsx';
import { say } from '../../features/chat/outbox.ts';
import { namesOf } from '../../features/chat/room-row.tsx';
import { useTyping } from '../../features/chat/use-typing.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { SharePlace } from './share-place.tsx';

const MessageActions = lazyPart(
  async () => (await import('./message-actions.tsx')).MessageActions,
  ['chat', 'contacts', 'geo', 'rides'],
);

/** One room: what was said, live, and where to say more. */
export function Page() {
  const { t } = useTranslation(['chat', 'common']);
  const { roomid = '' } = usePageSearch('/pages/chat/message');
  const { user } = useSession();
  const read = useCall(roomDetail, { roomid }, { enabled: roomid !== '', quiet: true });
  const room = read.data;
  const [opened, setOpened] = useState<Message | null>(null);
  const [sharing, setSharing] = useState(false);
  const onOpen = useCallback((message: Message) => setOpened(message), []);

  if (!room) return <RoomPending read={read} isMissing={roomid === ''} />;
  const sender = room.members.find(({ id }) => id === opened?.senderId);
  const mine = opened?.senderId === user.id;
  return (
    <PageLayout
      title={namesOf(room, user.id) || t('chat:alone')}
      back
      bare
      header={<RideLine room={room} ownId={user.id} />}
      action={
        room.closed ? (
          <Closed room={room} />
        ) : (
          <Composer
            key={roomid}
            roomid={roomid}
            thread={room.bookingId !== null}
            onPlace={() => setSharing(true)}
          />
        )
      }
    >
      <Conversation key={roomid} room={room} ownId={user.id} onOpen={onOpen} />
      <MessageSheet
        message={opened}
        name={mine ? user.name : (sender?.name ?? t('common:guest'))}
        timeZone={room.title.timeZone}
        onClose={() => setOpened(null)}
      >
        {opened && (
          <Suspense>
            <MessageActions message={opened} sender={mine ? null : (sender ?? null)} />
          </Suspense>
        )}
      </MessageSheet>
      <SharePlace
        open={sharing}
        onClose={() => setSharing(false)}
        onChosen={(place) => {
          setSharing(false);
          void say(roomid, { place });
        }}
      />
    </PageLayout>
  );
}

/**
 * Before there is a room to show. Another frame than the room's, which has a header: nothing is pushed down
 * by it.
 */
function RoomPending({ read, isMissing }: { read: Read<Room>; isMissing: boolean }) {
  const { t } = useTranslation('chat');
  return (
    <PageLayout title={usePageTitle()} back>
      <QueryView
        query={read}
        failed={t('failed')}
        skeleton={{ rows: 6, kind: 'chat' }}
        isMissing={isMissing}
        missing={<EmptyState icon={<SearchX />} title={t('missingTitle')} text={t('missingText')} />}
      >
        {() => null}
      </QueryView>
    </PageLayout>
  );
}

/** Why nothing more can be written here, and where it goes on. */
function Closed({ room }: { room: Room }) {
  const { t } = useTranslation('chat');
  const because = room.closedBecause ?? 'ended';
  return (
    <>
      <p className="flex min-h-12 items-center justify-center gap-2 text-center text-body text-ink-2">
        <Lock aria-hidden className="size-5 shrink-0" />
        {t(because === 'ended' ? 'closed' : because)}
      </p>
      {because === 'joined' && (
        <Link
          to="/pages/chat/message"
          search={{ roomid: room.rideId }}
          className={buttonVariants({ full: true, tone: 'quiet' })}
        >
          {t('toRideChat')}
        </Link>
      )}
    </>
  );
}

/** Which ride this room belongs to, which it opens, and who is writing. */
function RideLine({ room, ownId }: { room: Room; ownId: string }) {
  const { t } = useTranslation('chat');
  const format = useFormat();
  const writers = useTyping(room.roomid);
  const { from, to, departsAt, timeZone } = room.title;
  const names = room.members.filter(({ id }) => id !== ownId && writers.includes(id)).map(({ name }) => name);
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
        <span aria-live="polite" className="figures block truncate text-small text-ink-3">
          {names.length > 0 ? (
            <span className="font-semibold text-brand-ink">
              {t('typing', { count: names.length, names: names.join(', ') })}
            </span>
          ) : (
            [room.bookingId !== null && t('threadShort'), format.when(departsAt, timeZone)]
              .filter(Boolean)
              .join(' · ')
          )}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

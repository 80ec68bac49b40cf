import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message, Room } from '#contract/chat/endpoints.ts';
import { QueryView } from '../../core/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { OutgoingLine, ReadMark, SaidLine } from './bubble.tsx';
import { readUpTo } from './first-lines.ts';
import { linesOf, type Line } from './lines.ts';
import { Note } from './note-line.tsx';
import { useOutgoing } from './outbox.ts';
import { useReadMark } from './use-read-mark.ts';
import { useRoomMessages } from './use-room-messages.ts';
import { nearEndPx, useVirtualLines } from './use-virtual-lines.ts';

/** Older messages are read before the reader comes to the first one. */
const olderWithin = 15;

/** How many messages of others come after a position. */
function countFromOthers(messages: readonly Message[], ownId: string): { after: (seq: number) => number } {
  const first = messages[0]?.seq ?? 1;
  const upTo = [0];
  for (const { senderId } of messages) upTo.push(upTo.at(-1)! + (senderId === ownId ? 0 : 1));
  return {
    after: (seq) => upTo.at(-1)! - upTo[Math.min(messages.length, Math.max(0, seq - first + 1))]!,
  };
}

/** A room's messages and what waits to be sent, as lines, and who has read how far. */
function useConversation(room: Room, ownId: string) {
  const { roomid } = room;
  // Where I had read when I came in: the line above what is new must not move while I read.
  const readNow = readUpTo(room, ownId);
  const [readSeq] = useState(readNow);
  const { messages, hasOlder, older, readingOlder, olderFailed, loaded, error, retry, renew } =
    useRoomMessages(room, readSeq);
  const { waiting, stuck } = useOutgoing(roomid);
  const { timeZone } = room.title;
  const lines = useMemo(
    () => linesOf({ messages, waiting, readSeq, ownId, timeZone }),
    [messages, waiting, readSeq, ownId, timeZone],
  );

  // Asked at every scroll, so neither goes through ten thousand messages then.
  const ownLast = useMemo(() => messages.findLast(({ senderId }) => senderId === ownId), [messages, ownId]);
  const fromOthers = useMemo(() => countFromOthers(messages, ownId), [messages, ownId]);
  const onStale = useCallback((seq: number) => void renew(seq), [renew]);
  return {
    messages,
    lines,
    loaded,
    readSeq,
    readNow,
    waiting,
    stuck,
    hasOlder,
    older,
    readingOlder,
    olderFailed,
    error,
    retry,
    ownLast,
    fromOthers,
    onStale,
  };
}

type Said = ReturnType<typeof useConversation>;

/**
 * What was said in a room: opens at the first unread message, follows new ones, reads older ones at the top.
 */
export function Conversation({
  room,
  ownId,
  onOpen,
}: {
  room: Room;
  ownId: string;
  /** A message was touched. */
  onOpen: (message: Message) => void;
}) {
  const { t } = useTranslation('chat');
  const { roomid } = room;
  const said = useConversation(room, ownId);
  const { messages, lines, loaded, readSeq, waiting, hasOlder, older, readingOlder, olderFailed } = said;
  const list = useRef<HTMLUListElement>(null);
  const lastWaiting = waiting.at(-1)?.clientId;
  const { virtual, placedRef, still } = useVirtualLines(list, { lines, loaded, lastWaiting });

  // Older messages come in above while the reader is on the way there; what is in view stays where it is.
  const firstInView = virtual.range?.startIndex ?? 0;
  useEffect(() => {
    if (placedRef.current && hasOlder && !readingOlder && !olderFailed && firstInView < olderWithin)
      void older();
  }, [firstInView, hasOlder, readingOlder, olderFailed, older, placedRef]);

  const seen = lines[virtual.range?.endIndex ?? -1];
  const seenSeq = seen && 'message' in seen ? seen.message.seq : 0;
  useReadMark(roomid, readSeq, seen?.kind === 'outgoing' ? (messages.at(-1)?.seq ?? 0) : seenSeq);

  if (!loaded && messages.length === 0) return <ConversationPending said={said} />;
  const unseen = said.fromOthers.after(Math.max(seenSeq, said.readNow));
  const about: About = { room, ownId, lastWaiting, onOpen, ...said };
  return (
    <div role="log" aria-label={t('messages')} className={classes('mt-auto', !still && 'invisible')}>
      {olderFailed && <OlderButton onClick={() => void older()} />}
      <ul ref={list} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          return (
            line && (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0 px-4 py-1"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LineContent line={line} about={about} />
              </li>
            )
          );
        })}
      </ul>
      {!virtual.isAtEnd(nearEndPx) && unseen > 0 && (
        <UnseenButton count={unseen} onClick={() => virtual.scrollToEnd()} />
      )}
    </div>
  );
}

/** Before anything can be shown. */
function ConversationPending({ said: { error, retry } }: { said: Said }) {
  const { t } = useTranslation('chat');
  return (
    <div className="p-4">
      <QueryView
        query={{ data: undefined, error, refetch: retry }}
        failed={t('failed')}
        skeleton={{ rows: 6, kind: 'chat' }}
      >
        {() => null}
      </QueryView>
    </div>
  );
}

/** What the lines of a room have in common. */
interface About extends Pick<Said, 'ownLast' | 'stuck' | 'onStale'> {
  room: Room;
  ownId: string;
  /** The last message that waits to be sent. */
  lastWaiting: string | undefined;
  onOpen: (message: Message) => void;
}

function LineContent({
  line,
  about: { room, ownId, ownLast, stuck, lastWaiting, onOpen, onStale },
}: {
  line: Line;
  about: About;
}) {
  const { timeZone } = room.title;
  const others = room.members.filter(({ id }) => id !== ownId);
  return line.kind === 'said' ? (
    <SaidLine
      message={line.message}
      sender={room.members.find(({ id }) => id === line.message.senderId)}
      mine={line.message.senderId === ownId}
      leads={line.leads}
      timeZone={timeZone}
      onOpen={onOpen}
      onStale={onStale}
      foot={
        line.message === ownLast && (
          <ReadMark
            readers={others.filter((each) => each.readSeq >= line.message.seq).map(({ name }) => name)}
            others={others.length}
          />
        )
      }
    />
  ) : line.kind === 'outgoing' ? (
    <OutgoingLine
      outgoing={line.outgoing}
      stuck={stuck}
      last={line.outgoing.clientId === lastWaiting}
      timeZone={timeZone}
    />
  ) : (
    <Note line={line} timeZone={timeZone} />
  );
}

function OlderButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('chat');
  return (
    <div className="sticky top-2 z-10 flex h-0 justify-center">
      <Button small className="shadow-sheet" onClick={onClick}>
        {t('older')}
      </Button>
    </div>
  );
}

/** Leads to what has come in below. */
function UnseenButton({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation('chat');
  return (
    <div className="pointer-events-none sticky bottom-3 flex justify-center">
      <Button
        small
        className="pointer-events-auto shadow-sheet"
        icon={<ArrowDown aria-hidden className="size-5" />}
        onClick={onClick}
      >
        {t('unseen', { count })}
      </Button>
    </div>
  );
}

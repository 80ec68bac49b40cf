import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message, Room } from '#contract/chat/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorState, Skeleton } from '../../ui/surfaces.tsx';
import { OutgoingLine, ReadMark, SaidLine } from './bubble.tsx';
import { linesOf, type Line } from './lines.ts';
import { Note } from './note-line.tsx';
import { useOutgoing } from './outbox.ts';
import { useReadMark } from './use-read-mark.ts';
import { useRoomMessages } from './use-room-messages.ts';

const guessedPx: Record<Line['kind'], number> = { day: 44, unread: 40, system: 36, said: 64, outgoing: 88 };
/** Older messages are read before the reader comes to the first one. */
const olderWithin = 15;
/** Lines in view are measured over some frames: they stay where they are once nothing has changed for so many. */
const stillFrames = 4;
const measuredWithinMs = 2000;
const nearEndPx = 80;

/** How many messages of others come after a position. */
function countFromOthers(messages: readonly Message[], ownId: string): { after: (seq: number) => number } {
  const first = messages[0]?.seq ?? 1;
  const upTo = [0];
  for (const { senderId } of messages) upTo.push(upTo.at(-1)! + (senderId === ownId ? 0 : 1));
  return {
    after: (seq) => upTo.at(-1)! - upTo[Math.min(messages.length, Math.max(0, seq - first + 1))]!,
  };
}

/** Calls back once a height has stayed the same for some frames, however long a frame takes on this device. */
function whenStill(heightPx: () => number, then: () => void): void {
  const beganAt = performance.now();
  let last = Number.NaN;
  let frames = 0;
  const look = () => {
    const now = heightPx();
    frames = now === last ? frames + 1 : 0;
    last = now;
    if (frames >= stillFrames || performance.now() - beganAt > measuredWithinMs) then();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** What was said in a room: opens at the first unread message, follows new ones, reads older ones at the top. */
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
  const { t } = useTranslation(['chat', 'common']);
  const { roomid } = room;
  // Where I had read when I came in: the line above what is new must not move while I read.
  const readNow = room.members.find(({ id }) => id === ownId)?.readSeq ?? room.lastSeq;
  const [readSeq] = useState(readNow);
  const { messages, hasOlder, older, readingOlder, olderFailed, loaded, error, retry, renew } =
    useRoomMessages(room, readSeq);
  const { waiting, stuck } = useOutgoing(roomid);
  const { timeZone } = room.title;
  const lines = useMemo(
    () => linesOf({ messages, waiting, readSeq, ownId, timeZone }),
    [messages, waiting, readSeq, ownId, timeZone],
  );

  const list = useRef<HTMLUListElement>(null);
  // Where the reader stands, as they last scrolled: who is at the end stays there.
  const atEnd = useRef(true);
  // Its answers change with every scroll, which redraws this component as a whole; none is passed on to a memoised one.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => list.current?.closest('.pane') ?? null,
    estimateSize: (index) => guessedPx[lines[index]?.kind ?? 'said'],
    getItemKey: (index) => lines[index]?.key ?? index,
    anchorTo: 'end',
    onChange: (instance) => {
      if (instance.isScrolling) atEnd.current = instance.isAtEnd(nearEndPx);
    },
    overscan: 8,
    paddingEnd: 12,
  });

  const placed = useRef(false);
  // Lines are placed by guessed heights, measured, and placed again: shown once they stay.
  const [still, setStill] = useState(false);
  useLayoutEffect(() => {
    if (placed.current || !loaded || lines.length === 0) return;
    placed.current = true;
    const unread = lines.findIndex(({ kind }) => kind === 'unread');
    if (unread >= 0) {
      atEnd.current = false;
      virtual.scrollToIndex(unread, { align: 'start' });
    } else virtual.scrollToEnd();
    whenStill(
      () => virtual.getTotalSize(),
      () => setStill(true),
    );
  }, [loaded, lines, virtual]);

  // Older messages come in above while the reader is on the way there; what is in view stays where it is.
  const firstInView = virtual.range?.startIndex ?? 0;
  useEffect(() => {
    if (placed.current && hasOlder && !readingOlder && !olderFailed && firstInView < olderWithin)
      void older();
  }, [firstInView, hasOlder, readingOlder, olderFailed, older]);

  const paneHeight = virtual.scrollRect?.height;
  useLayoutEffect(() => {
    if (placed.current && atEnd.current) virtual.scrollToEnd();
  }, [lines, paneHeight, virtual]);

  // What I say myself is always shown.
  const lastWaiting = waiting.at(-1)?.clientId;
  useEffect(() => {
    if (placed.current && lastWaiting !== undefined) virtual.scrollToEnd();
  }, [lastWaiting, virtual]);

  const seen = lines[virtual.range?.endIndex ?? -1];
  const seenSeq = seen && 'message' in seen ? seen.message.seq : 0;
  useReadMark(roomid, readSeq, seen?.kind === 'outgoing' ? (messages.at(-1)?.seq ?? 0) : seenSeq);

  // Asked at every scroll, so neither goes through ten thousand messages then.
  const ownLast = useMemo(() => messages.findLast(({ senderId }) => senderId === ownId), [messages, ownId]);
  const fromOthers = useMemo(() => countFromOthers(messages, ownId), [messages, ownId]);
  const onStale = useCallback((seq: number) => void renew(seq), [renew]);

  if (!loaded && messages.length === 0) {
    return error ? (
      <ErrorState
        title={t('chat:failed')}
        text={errorWords(error)}
        retryLabel={t('common:retry')}
        onRetry={() => void retry()}
      />
    ) : (
      <div className="p-4">
        <Skeleton label={t('common:loading')} />
      </div>
    );
  }
  const others = room.members.filter(({ id }) => id !== ownId);
  const unseen = fromOthers.after(Math.max(seenSeq, readNow));
  return (
    <div role="log" aria-label={t('chat:messages')} className={classes('mt-auto', !still && 'invisible')}>
      {olderFailed && (
        <div className="sticky top-2 z-10 flex h-0 justify-center">
          <Button small className="shadow-sheet" onClick={() => void older()}>
            {t('chat:older')}
          </Button>
        </div>
      )}
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
                {line.kind === 'said' ? (
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
                          readers={others
                            .filter((each) => each.readSeq >= line.message.seq)
                            .map(({ name }) => name)}
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
                )}
              </li>
            )
          );
        })}
      </ul>
      {!virtual.isAtEnd(nearEndPx) && unseen > 0 && (
        <div className="pointer-events-none sticky bottom-3 flex justify-center">
          <Button
            small
            className="pointer-events-auto shadow-sheet"
            icon={<ArrowDown aria-hidden className="size-5" />}
            onClick={() => virtual.scrollToEnd()}
          >
            {t('chat:unseen', { count: unseen })}
          </Button>
        </div>
      )}
    </div>
  );
}

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Line } from './lines.ts';

const guessedPx: Record<Line['kind'], number> = { day: 44, unread: 40, system: 36, said: 64, outgoing: 88 };
/**
 * Lines in view are measured over some frames: they stay where they are once nothing has changed for this
 * many.
 */
const stillFrames = 4;
const measuredWithinMs = 2000;
/** This close to the end the reader is at it. */
export const nearEndPx = 80;

/**
 * Calls back once a height has stayed the same for some frames, however long a frame takes on this device.
 */
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

/**
 * The lines of a room that are in view: begins at the first unread line, and stays at the end while the
 * reader is there. `still` once lines are measured and may be shown; `placedRef` is true from when the first
 * place was chosen.
 */
export function useVirtualLines(
  list: RefObject<HTMLElement | null>,
  {
    lines,
    loaded,
    lastWaiting,
  }: {
    lines: readonly Line[];
    loaded: boolean;
    /** The last message of my own that waits to be sent. */
    lastWaiting: string | undefined;
  },
) {
  // The reader's position, as they last scrolled: who is at the end stays there.
  const atEnd = useRef(true);
  // Its answers change with every scroll, which redraws this component as a whole; none is passed on to a
  // memoised one.
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

  const placedRef = useRef(false);
  // Lines are placed by guessed heights, measured, and placed again: shown once they stay.
  const [still, setStill] = useState(false);
  useLayoutEffect(() => {
    if (placedRef.current || !loaded || lines.length === 0) return;
    placedRef.current = true;
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

  const paneHeight = virtual.scrollRect?.height;
  useLayoutEffect(() => {
    if (placedRef.current && atEnd.current) virtual.scrollToEnd();
  }, [lines, paneHeight, virtual]);

  // What I say myself is always shown.
  useEffect(() => {
    if (placedRef.current && lastWaiting !== undefined) virtual.scrollToEnd();
  }, [lastWaiting, virtual]);

  return { virtual, placedRef, still };
}

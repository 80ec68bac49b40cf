import { useCallback, useRef, useState, type KeyboardEvent, type PointerEvent, type WheelEvent } from 'react';

/** How many times its size a photo is shown at most. */
export const mostZoom = 6;
/** By what a button or a key enlarges. */
export const zoomStep = 1.4;

interface View {
  zoom: number;
  x: number;
  y: number;
}
const whole: View = { zoom: 1, x: 0, y: 0 };
const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));

type Change = (next: (shown: View) => View) => void;

/**
 * How a photo is zoomed and moved within its stage, never out of it: by wheel, drag, two fingers and keys.
 */
export function useZoom() {
  const [view, setView] = useState(whole);
  const stage = useRef<HTMLDivElement>(null);

  const change = useCallback((next: (shown: View) => View) => {
    setView((before) => {
      const { zoom, x, y } = next(before);
      const kept = Math.min(mostZoom, Math.max(1, zoom));
      const box = stage.current?.getBoundingClientRect();
      // Half of what sticks out on each side: beyond that, nothing would be visible.
      const [limitX, limitY] = [((box?.width ?? 0) * (kept - 1)) / 2, ((box?.height ?? 0) * (kept - 1)) / 2];
      return { zoom: kept, x: clamp(x, limitX), y: clamp(y, limitY) };
    });
  }, []);
  const zoomBy = useCallback(
    (factor: number) =>
      change((before) => ({ zoom: before.zoom * factor, x: before.x * factor, y: before.y * factor })),
    [change],
  );

  return {
    view,
    stage,
    zoomBy,
    onKeyDown: (event: KeyboardEvent) => moveByKey(event, change, zoomBy),
    gestures: {
      ...useDrag(change, zoomBy),
      onWheel: (event: WheelEvent) => zoomBy(Math.exp(-event.deltaY / 500)),
    },
  };
}

/** One finger or the mouse moves; two fingers zoom. */
function useDrag(change: Change, zoomBy: (factor: number) => void) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return;
    const others = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [other] = others;
    if (other === undefined) {
      const [byX, byY] = [event.clientX - before.x, event.clientY - before.y];
      change((shown) => ({ ...shown, x: shown.x + byX, y: shown.y + byY }));
    } else {
      const apart = (point: { x: number; y: number }) =>
        Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      zoomBy(apart({ x: event.clientX, y: event.clientY }) / apart(before));
    }
  };
  const onPointerEnd = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
  };
  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd };
}

function moveByKey(event: KeyboardEvent, change: Change, zoomBy: (factor: number) => void): void {
  const by = 60;
  const moves: Record<string, () => void> = {
    '+': () => zoomBy(zoomStep),
    '=': () => zoomBy(zoomStep),
    '-': () => zoomBy(1 / zoomStep),
    ArrowLeft: () => change((before) => ({ ...before, x: before.x + by })),
    ArrowRight: () => change((before) => ({ ...before, x: before.x - by })),
    ArrowUp: () => change((before) => ({ ...before, y: before.y + by })),
    ArrowDown: () => change((before) => ({ ...before, y: before.y - by })),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}

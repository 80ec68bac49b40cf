import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { dragged, zoomedTo, type Crop } from './crop.ts';

/** By what a button or a key enlarges. */
export const zoomStep = 1.25;
const arrowPixels = 12;

const middle = (points: readonly { x: number; y: number }[]) => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
const spread = ([a, b]: readonly { x: number; y: number }[]): number =>
  a === undefined || b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));

type OnCrop = (change: (crop: Crop) => Crop) => void;

/** What moves and zooms the picture below its frame: finger, two fingers, mouse, wheel and keys. */
export function useCropGestures(onCrop: OnCrop) {
  const frame = useRef<HTMLDivElement>(null);
  // React listens to the wheel passively, so it could not prevent the page from scrolling.
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element?.getBoundingClientRect();
      if (box === undefined) return;
      const [atX, atY] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      onCrop((now) => zoomedTo(now, now.zoom * Math.exp(-event.deltaY / 400), atX, atY));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [onCrop]);

  return { frame, gestures: useDrag(onCrop), onKeyDown: moveByKey };

  function moveByKey(event: KeyboardEvent<HTMLDivElement>) {
    const width = event.currentTarget.clientWidth;
    const moves: Record<string, (now: Crop) => Crop> = {
      ArrowLeft: (now) => dragged(now, arrowPixels, 0, width),
      ArrowRight: (now) => dragged(now, -arrowPixels, 0, width),
      ArrowUp: (now) => dragged(now, 0, arrowPixels, width),
      ArrowDown: (now) => dragged(now, 0, -arrowPixels, width),
      '+': (now) => zoomedTo(now, now.zoom * zoomStep),
      '=': (now) => zoomedTo(now, now.zoom * zoomStep),
      '-': (now) => zoomedTo(now, now.zoom / zoomStep),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    onCrop(move);
  }
}

/** One finger or the mouse moves, two fingers zoom around the point between them. */
function useDrag(onCrop: OnCrop) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!fingers.current.has(event.pointerId)) return;
    const before = [...fingers.current.values()];
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = [...fingers.current.values()];
    const box = event.currentTarget.getBoundingClientRect();
    const [from, to] = [middle(before), middle(after)];
    const factor = after.length > 1 ? spread(after) / spread(before) : 1;
    onCrop((now) =>
      zoomedTo(
        dragged(now, to.x - from.x, to.y - from.y, box.width),
        now.zoom * factor,
        (to.x - box.left) / box.width,
        (to.y - box.top) / box.height,
      ),
    );
  };
  const onPointerEnd = (event: PointerEvent<HTMLDivElement>) => {
    fingers.current.delete(event.pointerId);
  };
  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd };
}

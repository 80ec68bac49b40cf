import { Minus, Plus } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { dragged, maxZoom, styleOf, zoomedTo, type Crop } from './crop.ts';

const zoomStep = 1.25;
const arrowPixels = 12;

const middle = (points: readonly { x: number; y: number }[]) => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
const spread = ([a, b]: readonly { x: number; y: number }[]): number =>
  a === undefined || b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));

/** A round frame under which a picture is moved and zoomed: by finger, two fingers, mouse, wheel, keys and a slider. */
export function Cropper({
  address,
  crop,
  onCrop,
}: {
  /** Address of the picture. */
  address: string;
  crop: Crop;
  onCrop: (change: (crop: Crop) => Crop) => void;
}) {
  const { t } = useTranslation(['people', 'common']);
  const frame = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());

  // React listens to the wheel passively, so the page could not be kept from scrolling.
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
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
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
  };

  return (
    <div className="flex flex-col items-center gap-4">
      {/* An application takes keys and pointers; the slider and the buttons below do the same one by one. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={frame}
        role="application"
        aria-label={t('people:avatar.crop')}
        aria-describedby="crop-hint"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onKeyDown={onKeyDown}
        className="relative aspect-square w-full max-w-[340px] cursor-grab touch-none overflow-hidden rounded-sheet bg-ink select-none active:cursor-grabbing"
      >
        <img
          src={address}
          alt=""
          draggable={false}
          style={styleOf(crop)}
          className="pointer-events-none absolute max-w-none"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-0 rounded-full ring-2 ring-white shadow-[0_0_0_999px_rgb(31_36_48/0.55)]"
        />
      </div>
      <div className="flex w-full max-w-[340px] items-center gap-2">
        <IconButton
          label={t('common:map.zoomOut')}
          icon={<Minus aria-hidden />}
          disabled={crop.zoom <= 1}
          onClick={() => onCrop((now) => zoomedTo(now, now.zoom / zoomStep))}
        />
        <input
          type="range"
          aria-label={t('people:avatar.zoom')}
          min={1}
          max={maxZoom}
          step={0.01}
          value={crop.zoom}
          onChange={(event) => {
            const zoom = Number(event.target.value);
            onCrop((now) => zoomedTo(now, zoom));
          }}
          className="h-11 min-w-0 flex-1 accent-brand-ink"
        />
        <IconButton
          label={t('common:map.zoomIn')}
          icon={<Plus aria-hidden />}
          disabled={crop.zoom >= maxZoom}
          onClick={() => onCrop((now) => zoomedTo(now, now.zoom * zoomStep))}
        />
      </div>
      <p id="crop-hint" className="text-center text-small text-ink-3">
        {t('people:avatar.cropHint')}
      </p>
    </div>
  );
}

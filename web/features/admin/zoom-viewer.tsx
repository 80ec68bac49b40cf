import { Dialog } from '@base-ui/react/dialog';
import { Minus, Plus, X } from 'lucide-react';
import { useCallback, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';

const most = 6;
const step = 1.4;

interface View {
  zoom: number;
  x: number;
  y: number;
}
const whole: View = { zoom: 1, x: 0, y: 0 };
const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));

/** A photo over the whole screen that can be zoomed and moved: by wheel, drag, two fingers, buttons and keys. */
export function ZoomViewer({
  address,
  title,
  onClose,
}: {
  /** Address of the photo; null shows nothing. */
  address: string | null;
  title: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(['admin', 'common']);
  const [view, setView] = useState(whole);
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());

  const change = useCallback((next: (now: View) => View) => {
    setView((now) => {
      const { zoom, x, y } = next(now);
      const kept = Math.min(most, Math.max(1, zoom));
      const box = stage.current?.getBoundingClientRect();
      // Half of what sticks out on each side: further, one would look at nothing.
      const [limitX, limitY] = [((box?.width ?? 0) * (kept - 1)) / 2, ((box?.height ?? 0) * (kept - 1)) / 2];
      return { zoom: kept, x: clamp(x, limitX), y: clamp(y, limitY) };
    });
  }, []);
  const zoomBy = useCallback(
    (factor: number) => change((now) => ({ zoom: now.zoom * factor, x: now.x * factor, y: now.y * factor })),
    [change],
  );

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
      change((now) => ({ ...now, x: now.x + byX, y: now.y + byY }));
    } else {
      const apart = (point: { x: number; y: number }) =>
        Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      zoomBy(apart({ x: event.clientX, y: event.clientY }) / apart(before));
    }
  };
  const onPointerEnd = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = 60;
    const moves: Record<string, () => void> = {
      '+': () => zoomBy(step),
      '=': () => zoomBy(step),
      '-': () => zoomBy(1 / step),
      ArrowLeft: () => change((now) => ({ ...now, x: now.x + by })),
      ArrowRight: () => change((now) => ({ ...now, x: now.x - by })),
      ArrowUp: () => change((now) => ({ ...now, y: now.y + by })),
      ArrowDown: () => change((now) => ({ ...now, y: now.y - by })),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return (
    <Dialog.Root open={address !== null} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ink" />
        <Dialog.Popup
          className="fixed inset-0 z-50 flex flex-col text-white outline-none"
          onKeyDown={onKeyDown}
        >
          <div className="flex items-center gap-1 px-2 pt-[calc(env(safe-area-inset-top)+8px)]">
            <Dialog.Title className="min-w-0 flex-1 truncate px-2 text-lead">{title}</Dialog.Title>
            <IconButton
              label={t('admin:licenses.zoomOut')}
              icon={<Minus aria-hidden />}
              disabled={view.zoom <= 1}
              onClick={() => zoomBy(1 / step)}
            />
            <IconButton
              label={t('admin:licenses.zoomIn')}
              icon={<Plus aria-hidden />}
              disabled={view.zoom >= most}
              onClick={() => zoomBy(step)}
            />
            <Dialog.Close render={<IconButton label={t('common:close')} icon={<X aria-hidden />} />} />
          </div>
          <div
            ref={stage}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerEnd}
            onPointerCancel={onPointerEnd}
            onWheel={(event) => zoomBy(Math.exp(-event.deltaY / 500))}
            className="relative min-h-0 flex-1 cursor-grab touch-none overflow-hidden select-none active:cursor-grabbing"
          >
            {address !== null && (
              <img
                src={address}
                alt={title}
                draggable={false}
                style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}
                className="pointer-events-none size-full object-contain p-2"
              />
            )}
          </div>
          <Dialog.Description className="px-4 pt-2 pb-[calc(env(safe-area-inset-bottom)+12px)] text-center text-small text-muted">
            {t('admin:licenses.zoomHint')}
          </Dialog.Description>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

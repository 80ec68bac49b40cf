import { Dialog } from '@base-ui/react/dialog';
import { Minus, Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { mostZoom, useZoom, zoomStep } from './use-zoom.ts';

/**
 * A photo over the whole screen that can be zoomed and moved: by wheel, drag, two fingers, buttons and keys.
 */
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
  const { view, stage, zoomBy, onKeyDown, gestures } = useZoom();
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
              onClick={() => zoomBy(1 / zoomStep)}
            />
            <IconButton
              label={t('admin:licenses.zoomIn')}
              icon={<Plus aria-hidden />}
              disabled={view.zoom >= mostZoom}
              onClick={() => zoomBy(zoomStep)}
            />
            <Dialog.Close render={<IconButton label={t('common:close')} icon={<X aria-hidden />} />} />
          </div>
          <div
            ref={stage}
            {...gestures}
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

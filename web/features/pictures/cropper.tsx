import { Minus, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { maxZoom, styleOf, zoomedTo, type Crop } from './crop.ts';
import { useCropGestures, zoomStep } from './use-crop-gestures.ts';

/**
 * A round frame under which a picture is moved and zoomed: by finger, two fingers, mouse, wheel, keys and a
 * slider.
 */
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
  const { frame, gestures, onKeyDown } = useCropGestures(onCrop);
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
        {...gestures}
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

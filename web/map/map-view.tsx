import { CatchBoundary } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { laterPart } from '../core/lazy-part.ts';
import { useCovered } from '../ui/sheet.tsx';
import type { MapViewProps } from './shapes.ts';

// What is read and touched comes first.
const MapCanvas = laterPart(async () => (await import('./map-canvas.tsx')).MapCanvas, []);

// Asked once: making a context only to throw it away costs time on a phone.
let drawable: boolean | null = null;
function canDraw(): boolean {
  drawable ??= document.createElement('canvas').getContext('webgl2') !== null;
  return drawable;
}

/** The region's map. Loaded only where one is shown; fills its positioned parent. Memoise arrays you pass. */
export function MapView(props: MapViewProps) {
  const { t } = useTranslation();
  if (!canDraw()) return <MapMissing title={t('map.missing')} text={t('map.othersWork')} />;
  return (
    <CatchBoundary getResetKey={() => 'map'} errorComponent={MapFailed}>
      <Suspense fallback={<div className="absolute inset-0 bg-[#f1f2ee]" />}>
        <MapCanvas {...props} />
      </Suspense>
    </CatchBoundary>
  );
}

function MapFailed() {
  const { t } = useTranslation();
  return <MapMissing title={t('map.failed')} />;
}

function MapMissing({ title, text }: { title: string; text?: string }) {
  const covered = useCovered();
  return (
    <div className="absolute inset-0 bg-[#eceeec]">
      {/* Between the sheet and what floats over the top of the map. */}
      <div
        className="absolute [container-type:size] inset-x-0 top-17 grid place-items-center overflow-hidden"
        style={{ bottom: covered }}
      >
        <div className="flex max-w-sm items-start gap-2 px-4 text-small text-ink-2 [@container_(height<2.5rem)]:invisible large-text:[@container_(height<5rem)]:invisible">
          <MapPinOff aria-hidden className="size-5 shrink-0" />
          <div>
            <p className="font-semibold">{title}</p>
            {text !== undefined && <p>{text}</p>}
          </div>
        </div>
      </div>
    </div>
  );
}

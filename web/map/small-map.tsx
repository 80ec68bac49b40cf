import { Maximize2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../ui/classes.ts';
import { FullDialog } from '../ui/dialog.tsx';
import { CoveredSpace } from '../ui/sheet.tsx';
import { MapView } from './map-view.tsx';
import type { MapViewProps } from './shapes.ts';

/**
 * A picture of the map within a page of a phone. It takes no touches of its own, so that the page under the
 * finger still scrolls; a tap opens it large, where it can be moved and zoomed.
 */
export function SmallMap({ className, ...map }: MapViewProps & { className?: string }) {
  const { t } = useTranslation();
  const [large, setLarge] = useState(false);
  return (
    <div className={classes('relative shrink-0 overflow-hidden', className)}>
      {/* One of the two is drawn at a time: they share the engine. */}
      <div inert className="absolute inset-0">
        {!large && <MapView {...map} still />}
      </div>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t('map.enlarge')}
        onClick={() => setLarge(true)}
        className="absolute inset-0 flex items-end justify-end p-2 focus-visible:-outline-offset-3"
      >
        <span className="grid size-9 place-items-center rounded-full bg-surface shadow-card">
          <Maximize2 aria-hidden className="size-5" />
        </span>
      </button>
      <FullDialog open={large} onOpenChange={setLarge} title={map.label} closeLabel={t('close')}>
        {/* The sheet of the page behind covers nothing of this map. */}
        <CoveredSpace>
          <MapView {...map} />
        </CoveredSpace>
      </FullDialog>
    </div>
  );
}

import { useTranslation } from 'react-i18next';
import { MapView } from '../../map/map-view.tsx';
import { useBackdrop } from '../../shell/backdrop.tsx';
import type { useWayOnMap } from './use-way.ts';

/** The way on the map beside the page; on a phone a small picture of it that takes no touches. */
export function WayMap({ shown }: { shown: ReturnType<typeof useWayOnMap> }) {
  const { t } = useTranslation('planning');
  const beside = useBackdrop(shown);
  if (beside || shown.fit === null) return null;
  return (
    <div inert className="relative -mx-4 -mt-4 h-44 overflow-hidden rounded-t-control">
      <MapView label={t('way.map')} {...shown} />
    </div>
  );
}

import { useTranslation } from 'react-i18next';
import { SmallMap } from '../../map/small-map.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import type { usePlannedRouteOnMap } from './use-planned-route.ts';

/** The route on the map next to the page; on a phone a small picture of it, which a tap opens large. */
export function RouteMap({ shown }: { shown: ReturnType<typeof usePlannedRouteOnMap> }) {
  const { t } = useTranslation('planning');
  const beside = useBackdrop(shown);
  if (beside || shown.fit === null) return null;
  return <SmallMap label={t('way.map')} {...shown} className="-mx-4 -mt-4 h-44 rounded-t-control" />;
}

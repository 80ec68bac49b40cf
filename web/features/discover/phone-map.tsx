import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MapView } from '../../map/map-view.tsx';
import type { LonLat, MapPin, MapRoute } from '../../map/shapes.ts';
import { IconButton } from '../../ui/button.tsx';

/** What a part of Discover draws; memoised. */
export interface Drawing {
  pins: readonly MapPin[];
  routes?: readonly MapRoute[] | undefined;
  fit: readonly LonLat[];
}

/** The map of a part of Discover on a phone, with a card over it of what was tapped. */
export function PhoneMap({
  drawing,
  own,
  onPin,
  card,
  onClose,
}: {
  drawing: Drawing;
  own: LonLat | null;
  onPin: (id: string) => void;
  card: ReactNode;
  /** Leaves the map to itself again; a permanent card has none. */
  onClose?: () => void;
}) {
  const { t } = useTranslation();
  const map = <MapView label={t('map.label')} {...drawing} own={own} onPin={onPin} />;
  // A permanent card has its own space, so that it covers nothing of what it is about.
  if (onClose === undefined)
    return (
      <div className="flex flex-1 flex-col">
        <div className="relative flex-1">{map}</div>
        <div className="shrink-0 p-3">{card}</div>
      </div>
    );
  return (
    <div className="relative flex-1">
      {map}
      {card !== null && (
        <div className="absolute inset-x-3 bottom-6 animate-rise">
          {card}
          <IconButton
            floating
            label={t('close')}
            icon={<X aria-hidden />}
            className="absolute -top-13 right-0"
            onClick={onClose}
          />
        </div>
      )}
    </div>
  );
}

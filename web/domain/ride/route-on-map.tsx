import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import type { orderDetail } from '#contract/rides/endpoints.ts';
import { openAskStates } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { SmallMap } from '../../map/small-map.tsx';
import type { LonLat, MapPin, MapRoute } from '../../map/shapes.ts';

export interface Drawing {
  routes: MapRoute[];
  pins: MapPin[];
  fit: LonLat[] | null;
}
const nothing: Drawing = { routes: [], pins: [], fit: null };

const initialOf = (name: string) => name.trim().charAt(0).toUpperCase() || '•';

/**
 * What a ride or request looks like on the map: its line (and the one that is proposed), both ends, and
 * everyone's stops.
 */
export function useDrawing(detail: OutputOf<typeof orderDetail> | undefined): Drawing {
  const { t } = useTranslation('rides');
  const [start, end] = [t('letter.from'), t('letter.to')];
  return useMemo(() => {
    if (!detail) return nothing;
    const { order, route, proposedRoute } = detail;
    const line = route?.line ?? [];
    const proposed = proposedRoute?.line ?? [];
    const pins = pinsOf(order, { start, end });
    return {
      routes: [
        ...(line.length === 0 ? [] : [{ line, kind: order.role === 'driver' ? 'own' : 'shared' } as const]),
        ...(proposed.length === 0 ? [] : [{ line: proposed, kind: 'shared' } as const]),
      ],
      pins,
      fit: [...line, ...proposed, ...pins.map(({ lon, lat }): LonLat => [lon, lat])],
    };
  }, [detail, start, end]);
}

function pinsOf(order: Order, letters: { start: string; end: string }): MapPin[] {
  const { from, to } = order;
  const ends: MapPin[] = [
    { id: 'from', lon: from.lon, lat: from.lat, kind: 'origin', letter: letters.start, label: from.name },
    { id: 'to', lon: to.lon, lat: to.lat, kind: 'destination', letter: letters.end, label: to.name },
  ];
  if (order.role === 'passenger') return ends;
  const asked = order.bookings
    .filter(({ state }) => openAskStates.includes(state))
    .flatMap((booking): MapPin[] => [
      pin(`${booking.id}-pickup`, booking.pickup, 'pickup', booking.passenger.name),
      pin(`${booking.id}-dropoff`, booking.dropoff, 'dropoff', booking.passenger.name),
    ]);
  const agreed = order.stops.flatMap((stop, index): MapPin[] =>
    stop.kind === 'pickup' || stop.kind === 'dropoff'
      ? [pin(`stop-${index}`, stop, stop.kind, stop.passengerName)]
      : [],
  );
  // Where another route is proposed, its ends and stops are what matters.
  const way = order.change?.way;
  const moved = (['from', 'to'] as const).flatMap((end): MapPin[] => {
    const place = way?.[end];
    if (place === undefined || (place.lon === order[end].lon && place.lat === order[end].lat)) return [];
    const kind = end === 'from' ? 'origin' : 'destination';
    const letter = end === 'from' ? letters.start : letters.end;
    return [
      { id: `new-${end}`, lon: place.lon, lat: place.lat, kind, letter: `${letter}′`, label: place.name },
    ];
  });
  const via = (way?.via ?? order.via).map(({ lon, lat, name }, index): MapPin => ({
    id: `via-${index}`,
    lon,
    lat,
    kind: 'via',
    letter: String(index + 1),
    label: name,
  }));
  return [...ends, ...moved, ...via, ...agreed, ...asked];
}

const pin = (
  id: string,
  at: { lon: number; lat: number },
  kind: 'pickup' | 'dropoff',
  name: string,
): MapPin => ({ id, lon: at.lon, lat: at.lat, kind, letter: initialOf(name), label: name });

/** A small picture of the way on a phone; a tap opens it large. */
export function RoutePanel({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation('rides');
  return <SmallMap label={t('detail.map')} {...drawing} className="h-48 rounded-control shadow-card" />;
}

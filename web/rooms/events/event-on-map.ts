import { useMemo } from 'react';
import type { Event } from '#contract/events/endpoints.ts';
import type { LonLat, MapPin } from '../../map/shapes.ts';

/** Where events are; on the map beside the page, and under a finger on a phone. */
export function useEventPins(events: readonly Event[] | undefined): { pins: MapPin[]; fit: LonLat[] } {
  return useMemo(() => {
    const pins = (events ?? []).map(({ id, name, place }): MapPin => ({
      id,
      lon: place.lon,
      lat: place.lat,
      kind: 'destination',
      letter: name.trim().charAt(0).toUpperCase(),
      label: name,
    }));
    return { pins, fit: pins.map(({ lon, lat }) => [lon, lat] as const) };
  }, [events]);
}

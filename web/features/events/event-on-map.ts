import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event, EventEntry } from '#contract/events/endpoints.ts';
import type { LonLat, MapPin } from '../../map/shapes.ts';

const letterOf = (name: string) => name.trim().charAt(0).toUpperCase() || '•';

const pinOf = ({ id, name, place }: Event): MapPin => ({
  id,
  lon: place.lon,
  lat: place.lat,
  kind: 'destination',
  letter: letterOf(name),
  label: name,
});

const around = (pins: MapPin[]): { pins: MapPin[]; fit: LonLat[] } => ({
  pins,
  fit: pins.map(({ lon, lat }) => [lon, lat] as const),
});

/** Where events are; on the map next to the page, and under a finger on a phone. */
export function useEventPins(events: readonly Event[] | undefined): { pins: MapPin[]; fit: LonLat[] } {
  return useMemo(() => around((events ?? []).map(pinOf)), [events]);
}

/** An event, the cars that offer seats (about where they start) and the people who need some. */
export function useSeatsOnMap(
  event: Event | undefined,
  entries: readonly EventEntry[] | undefined,
): { pins: MapPin[]; fit: LonLat[] } {
  const { t } = useTranslation('events');
  return useMemo(() => {
    // There and back start at one place: one pin a person.
    const byPerson = new Map(
      (entries ?? []).toReversed().map((entry) => [entry.person.id + entry.role, entry]),
    );
    const people = [...byPerson.values()].map(({ orderId, role, person, place }): MapPin => {
      const isDriver = role === 'driver';
      return {
        id: orderId,
        lon: place.lon,
        lat: place.lat,
        kind: isDriver ? 'car' : 'person',
        letter: letterOf(person.name),
        label: t(isDriver ? 'drives' : 'needs', { name: person.name }),
      };
    });
    return around([...people, ...(event ? [pinOf(event)] : [])]);
  }, [event, entries, t]);
}

import { noPreferences } from '#contract/rides/preferences.ts';
import { later, minuteMs } from '../platform/clock.ts';

export const seatsPerRide = 3;
export const costCents = 2000;
const way = {
  from: { name: 'Mission Street', detail: '', lon: -122.0408, lat: 36.9689 },
  to: { name: 'Aptos Village', detail: '', lon: -121.9027, lat: 36.9772 },
};
const wish = {
  from: { name: 'Pacific Avenue', detail: '', lon: -122.0263, lat: 36.9741 },
  to: { name: 'Capitola', detail: '', lon: -121.9533, lat: 36.9722 },
};
const common = {
  note: '',
  contactWith: 'phone',
  flightNumber: '',
  eventId: null,
  preferences: noPreferences,
  visibility: 'all users',
  tagIds: [] as string[],
} as const;

/** A ride of the benchmark; paid where it has a vehicle. */
export const rideOf = (of: {
  departsAt: Date;
  vehicleId: string | null;
  isInstant: boolean;
  seats?: number;
}) => ({
  role: 'driver' as const,
  ...common,
  ...way,
  departsAt: of.departsAt.toISOString(),
  flexMinutes: 0,
  seats: of.seats ?? seatsPerRide,
  vehicleId: of.vehicleId,
  priceKind: 'perPerson' as const,
  costCents: of.vehicleId === null ? 0 : costCents,
  maxDetourMinutes: 15,
  instant: of.isInstant,
  via: [],
});

/** A request that fits those rides. */
export const requestOf = (departsAt: Date) => ({
  role: 'passenger' as const,
  ...common,
  ...wish,
  earliestAt: later(departsAt, -30 * minuteMs).toISOString(),
  latestAt: later(departsAt, 60 * minuteMs).toISOString(),
  seats: 1,
  offerCents: null,
  walkMetres: 600,
});

import { preferenceNames, type Preferences } from '#contract/rides/preferences.ts';
import {
  isAgreed,
  openRideStates,
  type BookingAwaits,
  type BookingState,
  type RequestState,
  type RideState,
} from '#contract/rides/moves.ts';
import type { Edit } from '#contract/rides/views.ts';
import { minuteMs } from './may.ts';

interface Ends {
  fromName: string;
  fromLon: number;
  fromLat: number;
  toName: string;
  toLon: number;
  toLat: number;
}

/** The terms of a ride, as agreed with a passenger. */
export interface RideTerms extends Ends {
  via: readonly EnteredPlace[];
  earliestDepartsAt: Date;
  latestDepartsAt: Date;
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
}

/** The terms of a request, as agreed with a driver. */
export interface RequestTerms extends Ends {
  earliestAt: Date;
  latestAt: Date;
  seats: number;
  offerCents: number | null;
  walkMetres: number;
}

interface EnteredPlace {
  name: string;
  lon: number;
  lat: number;
}

interface BookingStands {
  state: BookingState;
  awaits: BookingAwaits | null;
}

/**
 * How much of a ride its driver may edit: all until both sides of a booking have said yes, paid or not, then
 * all but time, address and cost.
 */
export function rideEdit(state: RideState, bookings: readonly BookingStands[]): Edit {
  if (!(openRideStates as readonly string[]).includes(state)) return 'none';
  return bookings.some(isAgreed) ? 'details' : 'all';
}

/** The same for a request: once it has a ride, the agreed terms are fixed; on the way nothing can change. */
export function requestEdit(state: RequestState, bookings: readonly BookingStands[]): Edit {
  const agreed = bookings.find(isAgreed);
  if (state === 'matching' || state === 'requesting' || state === 'inviting')
    return agreed === undefined ? 'all' : 'details';
  return state === 'joined' && (agreed?.state === 'joined' || agreed?.state === 'waiting')
    ? 'details'
    : 'none';
}

const sameEnds = (stands: Ends, entered: { from: EnteredPlace; to: EnteredPlace }): boolean =>
  (['from', 'to'] as const).every(
    (end) =>
      stands[`${end}Name`] === entered[end].name &&
      stands[`${end}Lon`] === entered[end].lon &&
      stands[`${end}Lat`] === entered[end].lat,
  );

/** Whether a preference would change. */
export const changesPreferences = (stands: Preferences, entered: Preferences): boolean =>
  preferenceNames.some((name) => stands[name] !== entered[name]);

const sameStops = (stands: readonly EnteredPlace[], entered: readonly EnteredPlace[]): boolean =>
  stands.length === entered.length &&
  stands.every((stop, index) => {
    const other = entered[index]!;
    return stop.name === other.name && stop.lon === other.lon && stop.lat === other.lat;
  });

/** Whether both ends and the stops between them stay the same. */
export const isSameWay = (
  stands: Ends & Pick<RideTerms, 'via'>,
  entered: { from: EnteredPlace; to: EnteredPlace; via: readonly EnteredPlace[] },
): boolean => sameEnds(stands, entered) && sameStops(stands.via, entered.via);

/** Whether time, address or cost of a ride would change. */
export function changesRideTerms(
  stands: RideTerms,
  entered: {
    from: EnteredPlace;
    to: EnteredPlace;
    via: readonly EnteredPlace[];
    departsAt: string;
    flexMinutes: number;
    priceKind: 'perPerson' | 'perCar';
    costCents: number;
  },
): boolean {
  const departsMs = Date.parse(entered.departsAt);
  return (
    !isSameWay(stands, entered) ||
    stands.earliestDepartsAt.getTime() !== departsMs ||
    stands.latestDepartsAt.getTime() !== departsMs + entered.flexMinutes * minuteMs ||
    stands.costCents !== entered.costCents ||
    // The price kind of a free ride does not matter.
    (entered.costCents > 0 && stands.priceKind !== entered.priceKind)
  );
}

/** Whether time, address or cost of a request would change; seats count as cost, the walk as address. */
export function changesRequestTerms(
  stands: RequestTerms,
  entered: {
    from: EnteredPlace;
    to: EnteredPlace;
    earliestAt: string;
    latestAt: string;
    seats: number;
    offerCents: number | null;
    walkMetres: number;
  },
): boolean {
  return (
    !sameEnds(stands, entered) ||
    stands.earliestAt.getTime() !== Date.parse(entered.earliestAt) ||
    stands.latestAt.getTime() !== Date.parse(entered.latestAt) ||
    stands.seats !== entered.seats ||
    stands.offerCents !== entered.offerCents ||
    stands.walkMetres !== entered.walkMetres
  );
}

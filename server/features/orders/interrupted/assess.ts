import type { BreakOffKind, BrokenPlace } from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { streetOf, locatePlace, roadNetwork } from '../../geo/service.ts';
import { travelBetween } from '../../matching/service.ts';
import { lastPassed } from '../rules/last-passed.ts';
import { riddenOf, shareRidden, type Ridden } from '../rules/ridden-share.ts';
import * as store from '../store.ts';
import type { InterruptContext } from './context.ts';

/** An older position does not show where the car is, only the least distance it has come. */
const freshMs = 10 * minuteMs;

/** The facts of an interrupted ride. */
export interface Interruption {
  kind: BreakOffKind;
  /** The reason, as the person who ends the ride wrote it; may be empty. */
  words: string;
  /** The car's last position, from the driver's device. */
  position: (LonLat & { at: Date }) | null;
  /** The point chosen on the map. */
  chosen: LonLat | null;
}

export interface Assessment {
  source: BrokenPlace;
  at: LonLat;
  /** The name of the street. */
  place: string;
  detail: string;
  /** Each passenger's price for the whole ride, in cents by booking. */
  shares: ReadonlyMap<string, number>;
  aboard: (Ridden & { booking: store.BookingRow; shareCents: number })[];
}

type Stops = readonly store.StopRow[];

/**
 * Where the ride ends, and what each passenger on board has ridden until there. A recent position counts
 * before a chosen place, an older one only where none is chosen. Refuses, by `place`, a point that no road
 * leads to.
 */
export function assess(
  context: InterruptContext,
  { ride, bookings, stops }: { ride: store.RideRow; bookings: readonly store.BookingRow[]; stops: Stops },
  known: Pick<Interruption, 'position' | 'chosen'>,
): Assessment {
  const { platform, money } = context;
  const passed = lastPassed(
    stops.map(({ kind, bookingId }) => ({
      kind,
      state: bookings.find(({ id }) => id === bookingId)?.state ?? null,
    })),
    ride.viaPassed,
  );
  const { source, where } = placeOf(context, stops[passed] ?? null, known);
  const { lon, lat } = where ?? { lon: ride.fromLon, lat: ride.fromLat };
  const { name, detail } = streetOf(platform, { lon, lat });
  const rode = bookings.filter(({ state }) => state === 'picked' || state === 'finished');
  const shares = money.sharesOf(ride, rode, bookings);
  const end = { source, at: { lon, lat }, passed };
  return {
    source,
    at: { lon, lat },
    place: name,
    detail,
    shares,
    aboard: bookings
      .filter(({ state }) => state === 'picked')
      .map((row) => {
        const booking = { ...row, fareCents: shares.get(row.id)! };
        const ridden = riddenUntil(context, stops, end, booking.id);
        return { booking, ...ridden, shareCents: shareRidden(booking.fareCents, ridden) };
      }),
  };
}

/**
 * @param lastStop the last stop the car has left, the fallback where no position is known; null for the
 *   start.
 */
function placeOf(
  { platform }: InterruptContext,
  lastStop: LonLat | null,
  { position, chosen }: Pick<Interruption, 'position' | 'chosen'>,
): { source: BrokenPlace; where: LonLat | null } {
  if (chosen !== null) locatePlace(platform, chosen, 'place');
  const isFresh = position !== null && platform.clock.now().getTime() - position.at.getTime() <= freshMs;
  const candidates: [BrokenPlace, LonLat | null][] = isFresh
    ? [['position', position]]
    : [
        ['chosen', chosen],
        ['position', position],
      ];
  const found = candidates.find(([, at]) => at !== null && roadNetwork(platform).snap(at) !== null);
  return found === undefined ? { source: 'stop', where: lastStop } : { source: found[0], where: found[1] };
}

/** The distance one passenger has been driven, and the distance that was agreed. */
function riddenUntil(
  { platform }: InterruptContext,
  stops: Stops,
  { source, at, passed }: { source: BrokenPlace; at: LonLat; passed: number },
  bookingId: string,
): Ridden {
  const next = stops[passed + 1];
  const toNextMetres =
    source === 'stop' || next === undefined ? null : (travelBetween(platform, at, next)?.metres ?? null);
  const progress = { legs: stops.map((stop) => stop.toNextMetres), passed, toNextMetres };
  const indexOf = (kind: 'pickup' | 'dropoff') =>
    stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === kind);
  const ends = { pickup: indexOf('pickup'), dropoff: indexOf('dropoff') };
  return ends.pickup < 0 ? { routeMetres: 0, riddenMetres: 0 } : riddenOf(progress, ends);
}

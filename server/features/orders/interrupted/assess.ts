import type { BreakOffKind, BrokenPlace } from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../../app-type.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { streetOf, locatePlace, roadNetwork } from '../../geo/service.ts';
import { travelBetween, carShares } from '../../matching/service.ts';
import { lastPassed } from '../rules/last-passed.ts';
import { riddenOf, shareRidden, type Ridden } from '../rules/ridden-share.ts';
import * as store from '../store.ts';

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
  app: App,
  { ride, bookings, stops }: { ride: store.RideRow; bookings: readonly store.BookingRow[]; stops: Stops },
  known: Pick<Interruption, 'position' | 'chosen'>,
): Assessment {
  const passed = lastPassed(
    stops.map(({ kind, bookingId }) => ({
      kind,
      state: bookings.find(({ id }) => id === bookingId)?.state ?? null,
    })),
    ride.viaPassed,
  );
  const { source, where } = placeOf(app, stops[passed] ?? null, known);
  const { lon, lat } = where ?? { lon: ride.fromLon, lat: ride.fromLat };
  const { name, detail } = streetOf(app, { lon, lat });
  const rode = bookings.filter(({ state }) => state === 'picked' || state === 'finished');
  const shares = carShares(ride, rode, bookings);
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
        const ridden = riddenUntil(app, stops, end, booking.id);
        return { booking, ...ridden, shareCents: shareRidden(booking.fareCents, ridden) };
      }),
  };
}

/**
 * @param lastStop the last stop the car has left, the fallback where no position is known; null for the
 *   start.
 */
function placeOf(
  app: App,
  lastStop: LonLat | null,
  { position, chosen }: Pick<Interruption, 'position' | 'chosen'>,
): { source: BrokenPlace; where: LonLat | null } {
  if (chosen !== null) locatePlace(app, chosen, 'place');
  const isFresh = position !== null && app.clock.now().getTime() - position.at.getTime() <= freshMs;
  const candidates: [BrokenPlace, LonLat | null][] = isFresh
    ? [['position', position]]
    : [
        ['chosen', chosen],
        ['position', position],
      ];
  const found = candidates.find(([, at]) => at !== null && roadNetwork(app).snap(at) !== null);
  return found === undefined ? { source: 'stop', where: lastStop } : { source: found[0], where: found[1] };
}

/** The distance one passenger has been driven, and the distance that was agreed. */
function riddenUntil(
  app: App,
  stops: Stops,
  { source, at, passed }: { source: BrokenPlace; at: LonLat; passed: number },
  bookingId: string,
): Ridden {
  const next = stops[passed + 1];
  const toNextMetres =
    source === 'stop' || next === undefined ? null : (travelBetween(app, at, next)?.metres ?? null);
  const progress = { legs: stops.map((stop) => stop.toNextMetres), passed, toNextMetres };
  const indexOf = (kind: 'pickup' | 'dropoff') =>
    stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === kind);
  const ends = { pickup: indexOf('pickup'), dropoff: indexOf('dropoff') };
  return ends.pickup < 0 ? { routeMetres: 0, riddenMetres: 0 } : riddenOf(progress, ends);
}

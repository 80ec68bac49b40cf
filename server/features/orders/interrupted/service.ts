import { seatedStates, type BreakOffKind, type BrokenPlace } from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/geometry.ts';
import { inTraffic } from '#roads/traffic.ts';
import type { Platform } from '../../../platform/platform.ts';
import { brokenConstraint, type Db } from '../../../platform/database/db.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { GeoService } from '../../geo/service.ts';
import type { IdentityService } from '../../identity/service.ts';
import { arriveByMs, type MatchingService } from '../../matching/service.ts';
import type { Money } from '../money.ts';
import { bySystem, type By } from '../move-log.ts';
import type { Moves } from '../moves.ts';
import { lastPassed } from '../rules/passed.ts';
import { strandedWindowMs } from '../rules/rebooking.ts';
import { riddenOf, shareRidden, type Ridden } from '../rules/ridden-share.ts';
import type { Cascade } from '../cascade.ts';
import * as store from '../store.ts';
import * as own from './store.ts';

/** A position as old as this says no longer where the car stands, only how far it has come at least. */
const freshMs = 10 * minuteMs;
/** Whoever stands this near to where they go needs no ride any more. */
const arrivedMetres = 200;

/** What is known of a ride that cannot go on. */
export interface BrokenOff {
  kind: BreakOffKind;
  /** In the words of whoever ends it; may be empty. */
  words: string;
  /** Where the car was last, as its driver's device has told. */
  position: (LonLat & { at: Date }) | null;
  /** What was chosen on the map. */
  chosen: LonLat | null;
}

export interface Assessment {
  source: BrokenPlace;
  at: LonLat;
  /** The street, in words. */
  place: string;
  detail: string;
  /** What each who rode would pay for the whole of their way. */
  shares: ReadonlyMap<string, number>;
  aboard: (Ridden & { booking: store.BookingRow; shareCents: number })[];
}

/** A ride that ends on the way: who was not picked up is let go free, who sits in the car pays for what was ridden. */
export function createInterruptedRides(
  { db, clock }: Platform,
  { geo, identity, matching }: { geo: GeoService; identity: IdentityService; matching: MatchingService },
  { moves, settle, money }: { moves: Moves; settle: Cascade; money: Money },
) {
  const { network } = geo;

  /**
   * Where the ride ends, and what each passenger on board has ridden until there. A position of the last minutes counts
   * before what somebody chooses; an older one, where nobody does. Refuses, by `place`, what no road leads to.
   */
  async function assess(
    tx: Db,
    ride: store.RideRow,
    bookings: readonly store.BookingRow[],
    { position, chosen }: Pick<BrokenOff, 'position' | 'chosen'>,
  ): Promise<Assessment> {
    const stops = await store.stopsOf(tx, [ride.id]);
    const passed = lastPassed(
      stops.map(({ kind, bookingId }) => ({
        kind,
        state: bookings.find(({ id }) => id === bookingId)?.state ?? null,
      })),
      ride.viaPassed,
    );
    if (chosen !== null) geo.locate(chosen, 'place');
    const isFresh = position !== null && clock.now().getTime() - position.at.getTime() <= freshMs;
    const candidates: [BrokenPlace, LonLat | null][] = isFresh
      ? [['position', position]]
      : [
          ['chosen', chosen],
          ['position', position],
        ];
    const [source, where] = candidates.find(([, at]) => at !== null && network.snap(at) !== null) ?? [
      'stop',
      stops[passed] ?? null,
    ];
    const { lon, lat } = where ?? { lon: ride.fromLon, lat: ride.fromLat };
    const next = stops[passed + 1];
    const toNextMetres =
      source === 'stop' || next === undefined ? null : (matching.travel({ lon, lat }, next)?.metres ?? null);
    const progress = { legs: stops.map((stop) => stop.toNextMetres), passed, toNextMetres };
    const positionOf = (bookingId: string, kind: 'pickup' | 'dropoff') =>
      stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === kind);
    const { name, detail } = geo.streetOf({ lon, lat });
    const rode = bookings.filter(({ state }) => state === 'picked' || state === 'finished');
    const shares = await money.sharesOf(tx, ride, rode);
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
          const ends = {
            pickup: positionOf(booking.id, 'pickup'),
            dropoff: positionOf(booking.id, 'dropoff'),
          };
          const ridden = ends.pickup < 0 ? { wayMetres: 0, riddenMetres: 0 } : riddenOf(progress, ends);
          return { booking, ...ridden, shareCents: shareRidden(booking.fareCents, ridden) };
        }),
    };
  }

  /**
   * Somebody who sat in the car looks for another one from where they stand, for an hour. Where nobody knows where that
   * is, where they have arrived, or where they have something else to do then, the request is over.
   */
  async function openFrom(
    tx: Db,
    requestId: string,
    { source, at, place, detail }: Assessment,
  ): Promise<void> {
    const request = await store.lockRequest(tx, requestId);
    if (request?.state !== 'joined') return;
    const to = { lon: request.toLon, lat: request.toLat };
    const travel = source === 'stop' ? null : matching.travel(at, to);
    const now = clock.now();
    if (travel !== null && travel.metres >= arrivedMetres) {
      const latestAt = later(now, strandedWindowMs);
      const driveMs = inTraffic(travel.milliseconds, geo.trafficPermilleAt(at, latestAt));
      const arriveBy = new Date(arriveByMs(latestAt.getTime(), driveMs));
      try {
        await tx.transaction((inner) =>
          store.takeSpan(inner, requestId, request.passengerId, now, later(latestAt, driveMs)),
        );
        await store.editRequest(tx, requestId, {
          fromName: place,
          fromDetail: detail,
          fromLon: at.lon,
          fromLat: at.lat,
          driveMs,
          driveMetres: travel.metres,
          earliestAt: now,
          latestAt,
          arriveBy,
          pickupSpots: matching.spotsNear(at, request.walkMetres),
        });
        return;
      } catch (error) {
        if (brokenConstraint(error) !== 'order_spans_no_overlap') throw error;
      }
    }
    await moves.moveRequest(tx, request, { move: 'cancel', by: bySystem, set: { endedAt: now } });
    await store.freeSpan(tx, requestId);
  }

  /** Lets somebody who is not on board go, free of charge. */
  async function letGo(tx: Db, booking: store.BookingRow, by: By, reason: string): Promise<void> {
    // A meeting that one side has confirmed is undone first: nobody is on board yet.
    const met =
      booking.state === 'picking'
        ? await moves.moveBooking(tx, booking, { move: 'undoMeet', by, set: { metBy: null } })
        : booking;
    const set = { fault: 'driver', reason, endedAt: clock.now() } as const;
    await moves.moveBooking(tx, met, { move: 'cancel', by, set, note: reason });
  }

  return {
    assess,
    ridesByIds: (ids: readonly string[]) => own.brokenRidesByIds(db, ids),
    bookingsOf: (rideIds: readonly string[]) => own.brokenBookingsOf(db, rideIds),
    list: (page: Parameters<typeof own.listBrokenRides>[1]) => own.listBrokenRides(db, page),
    decide: own.decideBroken,
    countOf: (driverId: string, since: Date) => own.countBrokenOf(db, driverId, since),

    /** Ends a ride that has left. Called under the lock on it, by whoever may. */
    async breakOff(tx: Db, ride: store.RideRow, by: By, broken: BrokenOff): Promise<void> {
      const now = clock.now();
      const { kind, words } = broken;
      const reason = words === '' ? kind : words;
      const bookings = await store.bookingsOf(tx, { rideIds: [ride.id] });
      const found = await assess(tx, ride, bookings, broken);
      await moves.moveRide(tx, ride, { move: 'breakOff', by, set: { endedAt: now }, note: reason });
      await own.insertBrokenRide(tx, {
        rideId: ride.id,
        driverId: ride.driverId,
        by: by.actor === 'admin' ? 'admin' : 'driver',
        kind,
        words,
        source: found.source,
        ...found.at,
        place: found.place,
        at: now,
      });
      await settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
      for (const booking of bookings)
        if (seatedStates.includes(booking.state) && booking.state !== 'picked')
          await letGo(tx, booking, by, reason);
      for (const { booking, shareCents, riddenMetres, wayMetres } of found.aboard) {
        const request = (await store.lockRequest(tx, booking.requestId))!;
        // The request will begin somewhere else: where this ride began stays with the booking.
        const pickupName = booking.pickupName || request.fromName;
        const { fareCents } = booking;
        const set = { fault: 'driver', reason, endedAt: now, pickupName, fareCents } as const;
        await moves.moveBooking(tx, booking, { move: 'breakOff', by, set, note: reason });
        await own.insertBrokenBooking(tx, {
          bookingId: booking.id,
          rideId: ride.id,
          riddenMetres,
          wayMetres,
          shareCents,
        });
        await money.partWayDue(tx, booking.id, shareCents);
        await openFrom(tx, booking.requestId, found);
      }
      await store.freeSpan(tx, ride.id);
      await settle.requests(tx, bookings);
      const finished = bookings.filter(({ state }) => state === 'finished');
      if (finished.length === 0) return;
      await money.fareDue(tx, finished, found.shares);
      const ways = await store.requestsByIds(
        tx,
        finished.map(({ requestId }) => requestId),
      );
      await identity.countRide(
        tx,
        ride.driverId,
        ways.reduce((sum, { driveMetres }) => sum + driveMetres, 0),
      );
    },
  };
}

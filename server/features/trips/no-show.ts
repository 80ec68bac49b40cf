import { randomUUID } from 'node:crypto';
import { awaitedStates, type contactKinds, gatherBeforeMs } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  noteContact as saveContact,
  saveAnswer,
  askBothSides,
  moveBooking,
  openReport,
  leaveRoute,
  settleBooking,
  type BookingRow,
  type By,
  ownBooking,
  concludeOverdue,
  followLatePayments,
  answerQuestion,
  bookingView,
  type RideRow,
  type LockedOrders,
} from '../orders/service.ts';
import { evidenceLater, wasThere, type LastPosition } from './rules/being-there.ts';
import { onBooking, staleBooking, type Scene } from './scene.ts';
import * as store from './store.ts';

type ContactKind = (typeof contactKinds)[number];

/** Stores that the driver called or wrote to a passenger after reaching their pick-up. */
export const noteContact = (
  app: App,
  { bookingId, kind }: { bookingId: string; kind: ContactKind },
  driverId: string,
) =>
  onBooking(app, { bookingId, personId: driverId, side: 'driver' }, async ({ locked }, booking) => {
    if (booking.state !== 'driver reached') throw staleBooking();
    const at = app.clock.now();
    await saveContact(await locked.db(), {
      id: randomUUID(),
      bookingId,
      driverId,
      kind,
      at,
    });
  });

/**
 * The passenger did not come. Refuses before the wait is over, and before the driver has tried to contact
 * them. The server must have been up for the whole wait: during an outage no passenger can say where they
 * are.
 */
export const reportNoShow = (app: App, bookingId: string, driverId: string) =>
  onBooking(app, { bookingId, personId: driverId, side: 'driver' }, async (scene, booking, by) => {
    const { clock, uptime } = app;
    if (booking.state !== 'driver reached') throw staleBooking();
    if (booking.contactedAt === null)
      throw new Refusal('booking.notContacted', 'Please call or message the rider first.', {
        code: 409,
      });
    const now = clock.now();
    const hasWaited = !(await uptime.wasAway(await scene.locked.db(), later(now, -scene.waitMs), now));
    if (!hasWaited || !scene.mayBooking(booking, 'driver').includes('noShow'))
      throw new Refusal('booking.waitNotOver', 'Please wait until the agreed waiting time is over.', {
        code: 409,
      });
    await miss(app, scene, booking, { by, fault: 'passenger' });
  });

/**
 * The driver did not come. Refuses before 15 minutes after the agreed time, unless the driver says to be
 * there or to have met the passenger.
 */
export const reportDriver = (app: App, bookingId: string, passengerId: string) =>
  onBooking(app, { bookingId, personId: passengerId, side: 'passenger' }, async (scene, booking, by) => {
    const { locked, ride, bookings } = scene;
    const notRidden = { bookingId, side: 'passenger', tookPlace: false } as const;
    if (booking.unclearAt !== null) return saveAnswer(app, locked, ride, notRidden);
    if (!awaitedStates.includes(booking.state)) throw staleBooking();
    if (!scene.mayBooking(booking, 'passenger').includes('reportDriver'))
      throw new Refusal('booking.waitNotOver', 'Please wait until 15 minutes after the agreed time.', {
        code: 409,
      });
    if (await sawNothing(app, locked, ride, app.clock.now())) {
      await askBothSides(app, locked, ride, bookings);
      return saveAnswer(app, locked, ride, notRidden);
    }
    await miss(app, scene, booking, { by, fault: 'driver' });
  });

async function miss(
  app: App,
  { locked, ride }: Scene,
  booking: BookingRow,
  { by, fault }: { by: By; fault: 'driver' | 'passenger' },
): Promise<void> {
  const pickup = { lon: booking.pickupLon, lat: booking.pickupLat };
  const last = await store.positionOf(await locked.db(), ride.id);
  const endedAt = app.clock.now();
  const reachedBy =
    booking.reachedAt === null
      ? null
      : evidenceLater(booking.reachedBy, wasThere(pickup, sinceReached(last, booking), endedAt));
  const move = fault === 'passenger' ? 'noShow' : 'reportDriver';
  // Earlier confirmations of one side are void: each confirms again where the passenger is on board after
  // all.
  const set = { fault, endedAt, reachedBy, metBy: null };
  const moved = moveBooking(app, locked, booking, { move, by, set });
  if (fault === 'driver') {
    const isContradicted = reachedBy === 'position' || wasThere(pickup, last, endedAt) === true;
    await openReport(app, locked, moved, { by: 'passenger', isContradicted });
  }
  leaveRoute(app, locked, ride, moved);
  settleBooking(app, locked, moved);
}

/**
 * The device's position since its driver reported reaching the pick-up; an earlier one is older than that
 * report.
 */
const sinceReached = (last: LastPosition | null, { reachedAt }: BookingRow): LastPosition | null =>
  last !== null && reachedAt !== null && last.at >= reachedAt ? last : null;

/** Whether the server was down between the hour before a departure and an instant after it. */
const sawNothing = async (app: App, locked: LockedOrders, ride: RideRow, until: Date): Promise<boolean> =>
  app.uptime.wasAway(await locked.db(), later(ride.departsAt, -gatherBeforeMs), until);

/** A step missing during an outage proves nothing: true where both sides are asked instead. */
export async function isAsked(app: App, { locked, ride, bookings }: Scene, until: Date): Promise<boolean> {
  if (ride.unclearAt !== null) return true;
  return (await sawNothing(app, locked, ride, until)) && askBothSides(app, locked, ride, bookings);
}

/** After an outage on the day of the ride: one side's answer whether it took place. */
export async function sayTookPlace(
  app: App,
  { bookingId, tookPlace }: { bookingId: string; tookPlace: boolean },
  personId: string,
) {
  const { booking, side } = await ownBooking(app, bookingId, personId);
  await followLatePayments(app, { rideIds: [booking.rideId] });
  await answerQuestion(app, booking, side, tookPlace);
  return { booking: await bookingView(app, bookingId, personId) };
}

/** Concludes a ride whose deadline for answers is over, after payments that are late have been read. */
export async function concludeUnclear(app: App, rideId: string): Promise<void> {
  await followLatePayments(app, { rideIds: [rideId] });
  await concludeOverdue(app, rideId);
}

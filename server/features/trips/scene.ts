import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { movedOn } from '../../platform/refusal.ts';
import {
  bookingFacts,
  bookingNotFound,
  mayMoveBooking,
  mayMoveRide,
  orderNotFound,
  rideFacts,
  waitMs,
  settleRide,
  contactsOf,
  rideById,
  ownBooking,
  bookingView,
  rideViews,
  changeOrders,
  type BookingRow,
  type By,
  type RideRow,
  type LockedOrders,
} from '../orders/service.ts';

/** A ride on its day, locked and caught up with the clock, and the moves its people may make now. */
export interface Scene {
  locked: LockedOrders;
  ride: RideRow;
  bookings: BookingRow[];
  may: RideMove[];
  mayBooking(booking: BookingRow, side: 'driver' | 'passenger'): BookingMove[];
  boardsAtStart(booking: BookingRow): boolean;
  /** How long the driver waits at a pick-up. */
  waitMs: number;
}

export const staleBooking = () => movedOn('booking.moved', 'This just changed. Please check again.');

/**
 * Locks a ride, catches it up with the clock, and runs the work on the result.
 * @param requestIds requests to lock in addition to those of open bookings.
 */
export const onScene = <T>(
  app: App,
  rideId: string,
  work: (scene: Scene) => Promise<T>,
  requestIds: readonly string[] = [],
): Promise<T> =>
  changeOrders(
    app,
    'change scene',
    async (locked) => work(await sceneOf(app, locked, rideId, requestIds)),
    rideId,
  );

/** The scene of a ride in the caller's transaction, as `onScene`. */
export async function sceneOf(
  app: App,
  locked: LockedOrders,
  rideId: string,
  requestIds: readonly string[] = [],
): Promise<Scene> {
  if ((await locked.lockRide(rideId, requestIds)) === null) throw orderNotFound();
  settleRide(app, locked, rideId);
  const ride = locked.lockedRide(rideId);
  const rows = locked.bookingsOfRide(rideId);
  const bookings = await contactsOf(app, await locked.db(), rows);
  const stops = locked.stops(rideId);
  const facts = rideFacts(ride, stops, bookings);
  const now = app.clock.now();
  return {
    locked,
    ride,
    bookings,
    may: mayMoveRide(facts, now),
    mayBooking: (booking, side) => mayMoveBooking(facts, bookingFacts(booking, stops), side, now),
    boardsAtStart: (booking) => bookingFacts(booking, stops).boardsAtStart,
    waitMs: waitMs(facts),
  };
}

/** Runs work on the driver's own ride; a refusal does not reveal whether another ride exists. */
export async function asDriver<T>(
  app: App,
  rideId: string,
  driverId: string,
  work: (scene: Scene, by: By) => Promise<T>,
): Promise<T> {
  const ride = await rideById(app.db, rideId);
  if (ride === null || ride.driverId !== driverId) throw orderNotFound();
  return onScene(app, rideId, (scene) => work(scene, { actor: 'driver', actorId: driverId }));
}

/** A side of a booking, with the caller. */
export interface BookingSide {
  bookingId: string;
  personId: string;
  side: 'driver' | 'passenger';
}

/** Runs one side's work on a booking and returns its view. Refuses `booking.notFound` to all others. */
export async function onBooking(
  app: App,
  { bookingId, personId, side }: BookingSide,
  work: (scene: Scene, booking: BookingRow, by: By) => Promise<void>,
) {
  const own = await ownBooking(app, bookingId, personId);
  if (own.side !== side) throw bookingNotFound();
  const { rideId, requestId } = own.booking;
  const act = (scene: Scene) => {
    const booking = scene.bookings.find(({ id }) => id === bookingId);
    if (booking === undefined) throw bookingNotFound();
    return work(scene, booking, { actor: side, actorId: personId });
  };
  // A booking that has ended may be reopened: its request is locked in the same order.
  await onScene(app, rideId, act, [requestId]);
  return { booking: await bookingView(app, bookingId, personId) };
}

/** A booking of the scene's ride. Refuses `order.notFound`. */
export function bookingOn({ bookings }: Scene, bookingId: string): BookingRow {
  const booking = bookings.find(({ id }) => id === bookingId);
  if (booking === undefined) throw orderNotFound();
  return booking;
}

export async function viewRide(app: App, rideId: string, driverId: string) {
  const ride = await rideById(app.db, rideId);
  return { order: (await rideViews(app, [ride!], driverId))[0]! };
}

import { joinableRideStates, openRequestStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { Refusal, movedOn } from '../../../platform/refusal.ts';
import type { Spot } from '../../matching/service.ts';
import { standingOf } from '../../payments/queries.ts';
import { moneyTerms } from '../../payments/service.ts';
import { type LockedOrders, changeOrders } from '../aggregate/locked-orders.ts';
import { lockedFit } from '../decide/fit.ts';
import type { By } from '../decide/move-log.ts';
import { haveTimeFor } from '../decide/time.ts';
import { bookingNotFound, orderNotFound } from '../order-refusals.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';

/** A booking with its two orders. */
export interface BookedPair {
  ride: RideRow;
  request: RequestRow;
  booking: BookingRow;
}

/**
 * Locks a ride and a request. Refuses a pair that is not the caller's on their side, and one of which the
 * owners may not see each other's orders.
 */
export async function lockOwnPair(
  locked: LockedOrders,
  ids: { rideId: string; requestId: string },
  { side, personId }: { side: 'driver' | 'passenger'; personId: string },
): Promise<{ ride: RideRow; request: RequestRow }> {
  const pair = await locked.lockInSight(ids);
  if (pair === null) throw orderNotFound();
  const { ride, request, areInSight } = pair;
  if ((side === 'passenger' ? request.passengerId : ride.driverId) !== personId) throw orderNotFound();
  if (ride.driverId === request.passengerId) throw new Refusal('order.ownRide', 'This is your own ride.');
  if (!areInSight) throw orderNotFound();
  return { ride, request };
}

/** Locks a booking with its ride and request, in that order, and returns their current rows. */
export async function lockPair(
  locked: LockedOrders,
  { id, rideId, requestId }: Pick<BookingRow, 'id' | 'rideId' | 'requestId'>,
): Promise<BookedPair> {
  const ride = await locked.lockRide(rideId, [requestId]);
  const request = await locked.lockRequest(requestId);
  const booking = locked.booking(id);
  if (ride === null || request === null || booking === null) throw bookingNotFound();
  return { ride, request, booking };
}

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 */
export const onRide = <T>(app: App, rideId: string, work: (locked: LockedOrders) => Promise<T>): Promise<T> =>
  changeOrders(app, 'change ride', work, rideId);

export const noFit = () => movedOn('match.noFit', 'This ride no longer matches. Please look at the others.');
export const rideFull = () => movedOn('ride.full', 'This ride is full.');
export const rideClosed = () => movedOn('ride.closed', 'This ride can’t be joined anymore.');
export const requestClosed = () => movedOn('request.closed', 'This rider isn’t looking for a ride anymore.');
export const alreadyAsked = () => movedOn('booking.exists', 'You already asked. Please wait for the answer.');

/** Whether a booking has a seat and stops on the route before its passenger has joined. */
export const isKept = ({ state }: BookingRow): boolean => state === 'waiting for passenger acceptance';

/**
 * Refuses `ride.full`, `ride.closed`.
 * @param hasSeat whether the booking's seat is reserved: then a full ride is no reason to refuse.
 */
export function checkOpen(app: App, ride: RideRow, hasSeat = false): void {
  const hasLeft = app.clock.now() >= ride.latestDepartsAt;
  if (hasSeat && ride.state === 'full' && !hasLeft) return;
  if (ride.state === 'full') throw rideFull();
  if (!joinableRideStates.includes(ride.state) || hasLeft) throw rideClosed();
}

/** Refuses `request.closed`. */
export function checkWaiting(request: RequestRow): void {
  if (!openRequestStates.includes(request.state)) throw requestClosed();
}

/**
 * Refuses a paid ride to a passenger after a chargeback, until an admin has cleared it; one who opens a
 * booking themselves is refused too while they owe something.
 */
export async function checkMayPay(
  app: App,
  locked: LockedOrders,
  passengerId: string,
  { actor, opens = false }: Pick<By, 'actor'> & { opens?: boolean },
): Promise<void> {
  const { owes, isBlocked } = await standingOf(await locked.db(), passengerId);
  if (owes && opens && actor === 'passenger')
    throw movedOn('payment.owed', 'We couldn’t charge something you owe. Please pay it first.');
  if (!moneyTerms(app).takesCards)
    throw movedOn('payment.off', 'We don’t take card payments here, so you can’t join this ride.');
  if (!isBlocked) return;
  throw actor === 'passenger'
    ? movedOn(
        'payment.blocked',
        'Your bank disputed one of your payments. You can’t join paid rides until that’s settled. Please write to us.',
      )
    : movedOn('payment.passengerBlocked', 'This rider can’t pay by card right now.');
}

/**
 * The current fit of the two. Refuses `ride.full` when only seats are missing, else `match.noFit`.
 * @param agreed the meeting points, where they were agreed before.
 */
export async function fitNow(
  app: App,
  locked: LockedOrders,
  { ride, request }: { ride: RideRow; request: RequestRow },
  agreed?: { pickup: Spot; dropoff: Spot },
) {
  const fit = lockedFit(app, locked, { ride, request }, agreed);
  if (fit !== null) {
    if (haveTimeFor(locked, ride, request, fit)) return fit;
    throw noFit();
  }
  const withRoom = lockedFit(
    app,
    locked,
    { ride: { ...ride, seats: Number.MAX_SAFE_INTEGER }, request },
    agreed,
  );
  throw withRoom === null ? noFit() : rideFull();
}

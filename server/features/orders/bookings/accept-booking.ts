import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { agreedSpot, withBooking } from '../../matching/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { settleBooking } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveBooking } from '../decide/moves.ts';
import { mustFollowPlan } from '../decide/time.ts';
import { bookingNotFound } from '../order-refusals.ts';
import { ownBooking, bookingView } from '../order-views.ts';
import type { BookingRow, RideRow } from '../store.ts';
import { pay, planPayment } from './booking-payment.ts';
import {
  onRide,
  lockPair,
  checkMayPay,
  checkOpen,
  checkWaiting,
  fitNow,
  isKept,
  noFit,
  requestClosed,
  rideClosed,
  rideFull,
  type BookedPair,
} from './pair.ts';
import { payBy } from './rules/deadlines.ts';

/** The driver accepts an ask, or the passenger an invitation: the seats are claimed. */
export async function acceptBooking(app: App, bookingId: string, personId: string) {
  const { booking, side } = await ownBooking(app, bookingId, personId);
  const move = side === 'driver' ? 'accept' : 'acceptInvitation';
  const { fareCents } = await onRide(app, booking.rideId, async (locked) =>
    joinRide(app, locked, await lockPair(locked, booking), {
      move,
      by: { actor: side, actorId: personId },
    }),
  );
  if (fareCents > 0) await pay(app, bookingId);
  return { booking: await bookingView(app, bookingId, personId) };
}

interface Joining {
  move: 'accept' | 'acceptInvitation' | 'joinAtOnce';
  by: By;
}

/**
 * Puts the passenger on the route and claims the seats. Where a paid ride's payment is not secured yet, the
 * seats are reserved for a while until it is (`booking-payment.ts`). Returns the booking.
 */
export async function joinRide(
  app: App,
  locked: LockedOrders,
  pair: BookedPair,
  { move, by }: Joining,
): Promise<BookingRow> {
  const { ride, request, booking } = pair;
  await checkMayJoin(app, locked, pair, by);
  const isSure = await planPayment(app, locked, pair, {
    amountCents: booking.fareCents,
    isPresent: by.actor === 'passenger',
  });
  if (isKept(booking)) {
    // Its seat and its stops have been on the route since the offer.
    const moved = await moveJoined(app, locked, { ride, booking, isSure, set: {} }, { move, by });
    mustFollowPlan(locked, ride.id, noFit);
    settleBooking(app, locked, moved);
    return moved;
  }
  // The meeting points were agreed with the ask or invitation: they do not move now.
  const { plan, wish, insertion } = await fitNow(
    app,
    locked,
    { ride, request },
    { pickup: agreedSpot(booking, 'pickup'), dropoff: agreedSpot(booking, 'dropoff') },
  );
  const { detourMs, detourMetres } = insertion;
  const set = { detourMs, detourMetres };
  const moved = await moveJoined(app, locked, { ride, booking, isSure, set }, { move, by });
  locked.savePlan(ride.id, withBooking(plan, { ...wish, seats: 0 }, insertion, booking.id));
  if (!locked.claimSeats(ride.id, booking.id, booking.seats)) throw rideFull();
  // The others on board get out later now, and may have another order then.
  mustFollowPlan(locked, ride.id, noFit);
  settleBooking(app, locked, moved);
  return moved;
}

/** Refuses by the ride's state, a block, a suspension, money, or an open change of route. */
async function checkMayJoin(
  app: App,
  locked: LockedOrders,
  { ride, request, booking }: BookedPair,
  by: By,
): Promise<void> {
  checkOpen(app, ride, isKept(booking));
  checkWaiting(request);
  const { isFree, areActive } = locked.standingOf(ride, request.passengerId);
  if (!isFree) throw bookingNotFound();
  // Orders of a suspended person are canceled after the suspension; no passenger can join them meanwhile.
  if (!areActive) throw by.actor === 'driver' ? requestClosed() : rideClosed();
  if (booking.fareCents > 0) await checkMayPay(app, locked, request.passengerId, by);
  // Refused while a change of route is open: a new passenger has had no vote on it.
  if (locked.isAnotherWayOpen(ride.id))
    throw movedOn(
      'ride.changing',
      'A route change is waiting for answers. Please try again once all riders have answered.',
    );
  // A seat that lacks only a payment is joined by paying.
  if (booking.awaits === 'payment') throw movedOn('booking.moved', 'This just changed. Please check again.');
}

/** Joined where the payment is secured; else agreed, with a deadline to pay. */
async function moveJoined(
  app: App,
  locked: LockedOrders,
  joined: {
    ride: RideRow;
    booking: BookingRow;
    isSure: boolean;
    set: { detourMs?: number; detourMetres?: number };
  },
  { move, by }: Joining,
): Promise<BookingRow> {
  const { clock, env } = app;
  const { ride, booking, isSure, set } = joined;
  if (isSure) return moveBooking(app, locked, booking, { move, by, set: { ...set, joinedAt: clock.now() } });
  const expiresAt = payBy(clock.now(), ride.latestDepartsAt, env.PAYMENT_WAIT_MINUTES);
  return moveBooking(app, locked, booking, { move: 'agree', by, set, expiresAt });
}

import { isAgreed } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { notFound } from '../../../platform/refusal.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { spanOf } from '../alternative-routes.ts';
import { leaveRoute, settleBooking } from '../decide/cascade.ts';
import { moveBooking } from '../decide/moves.ts';
import { viewOrder } from '../order-views.ts';
import { areFreeFor } from '../decide/time.ts';
import { bookingsOf, type BookingRow, type RideRow } from '../store.ts';
import { settleChange } from './apply-change.ts';
import { agreedOf, payForChange, proposalOver, tellChange, timeTaken } from './propose-change.ts';
import * as store from './store.ts';

const noProposal = () => notFound('change.notFound', 'We couldn’t find this proposal.');

/**
 * A passenger accepts, or leaves the ride free of charge; the driver (`accept: false`) withdraws the
 * proposal.
 */
export async function answerChange(
  app: App,
  personId: string,
  input: { changeId: string; accept: boolean },
): Promise<{ order: Order }> {
  const change = await store.changeById(app.db, input.changeId);
  if (change === null) throw noProposal();
  if (change.driverId !== personId) {
    const orderId = await answerAsPassenger(app, change, personId, input.accept);
    return { order: await viewOrder(app, orderId, personId) };
  }
  if (input.accept) throw noProposal();
  await changeOrders(app, 'answer change', async (locked) => {
    await locked.lockRide(change.rideId);
    const withdrawn = await store.moveChange(await locked.db(), change.id, 'withdraw', app.clock.now());
    if (withdrawn === null) throw proposalOver();
    const agreed = agreedOf(locked, change.rideId);
    tellChange(locked, withdrawn, { agreed, byId: personId });
  });
  return { order: await viewOrder(app, change.rideId, personId) };
}

/** @returns the order that the passenger sees next: the ride they stay with, or their reopened request. */
async function answerAsPassenger(
  app: App,
  change: store.ChangeRow,
  passengerId: string,
  accepted: boolean,
): Promise<string> {
  const own = (await bookingsOf(app.db, { rideIds: [change.rideId] })).find(
    (booking) => isAgreed(booking) && booking.passengerId === passengerId,
  );
  if (own === undefined) throw noProposal();
  await changeOrders(app, 'answer as passenger', async (locked) => {
    const ride = (await locked.lockRide(change.rideId))!;
    const open = await store.openChangeOf(await locked.db(), ride.id);
    const booking = locked.bookingsOfRide(ride.id).find(({ id }) => id === own.id);
    const isAnswered = (await store.acceptedBy(await locked.db(), change.id)).has(own.id);
    const at = app.clock.now();
    // It may have ended since it was read: one that never joined is not loaded with its ride then.
    if (booking === undefined || !isAgreed(booking)) throw proposalOver();
    if (open?.id !== change.id || open.expiresAt <= at || isAnswered) throw proposalOver();
    await store.saveAnswer(await locked.db(), {
      proposalId: change.id,
      bookingId: own.id,
      passengerId,
      accepted,
      at,
    });
    if (accepted) await accept(locked, { ride, booking }, open);
    else await leave(app, locked, { ride, booking });
    await settleChange(app, locked, ride.id, passengerId);
  });
  await payForChange(app, change.rideId);
  return accepted ? change.rideId : own.requestId;
}

interface Place {
  ride: RideRow;
  booking: BookingRow;
}

/** Refuses `order.overlap` where the passenger has another order at the new time. */
async function accept(
  locked: LockedOrders,
  { ride, booking }: Place,
  change: store.ChangeRow,
): Promise<void> {
  const { passengerId, requestId } = booking;
  const byMs = change.departsAt.getTime() - ride.departsAt.getTime();
  const request = (await locked.lockRequest(requestId))!;
  const span = spanOf(request, booking, byMs, change);
  const isFree =
    span === null
      ? await store.isFreeAfter(await locked.db(), requestId, byMs)
      : areFreeFor(locked, [{ id: requestId, personId: passengerId, ...span }]);
  if (!isFree) throw timeTaken('changeId');
  tellChange(locked, change, { agreed: [booking], byId: passengerId });
}

/** The driver wanted other terms: the passenger owes nothing, and their request reopens. */
async function leave(app: App, locked: LockedOrders, { ride, booking }: Place): Promise<void> {
  const reason = 'changeDeclined';
  const moved = moveBooking(app, locked, booking, {
    move: booking.state === 'joined' ? 'cancel' : 'declineInvitation',
    by: { actor: 'passenger', actorId: booking.passengerId },
    set: { fault: 'driver', reason, endedAt: app.clock.now() },
    note: reason,
  });
  leaveRoute(app, locked, ride, moved);
  settleBooking(app, locked, moved);
}

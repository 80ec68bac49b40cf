import { isAgreed } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { notFound } from '../../../platform/refusal.ts';
import type { BookingRow, RideRow } from '../store.ts';
import { settleChange } from './apply-change.ts';
import { agreedOf, payForChange, proposalOver, tellChange, timeTaken } from './change-proposals.ts';
import type { BookingContext } from './context.ts';
import * as store from './store.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';

const noProposal = () => notFound('change.notFound', 'We couldn’t find this proposal.');

/**
 * A passenger accepts, or leaves the ride free of charge; the driver (`accept: false`) withdraws the
 * proposal.
 */
export async function answerChange(
  context: BookingContext,
  personId: string,
  input: { changeId: string; accept: boolean },
): Promise<{ order: Order }> {
  const { orders, platform } = context;
  const change = await store.changeById(platform.db, input.changeId);
  if (change === null) throw noProposal();
  if (change.driverId !== personId) {
    const orderId = await answerAsPassenger(context, change, personId, input.accept);
    return { order: await orders.view(orderId, personId) };
  }
  if (input.accept) throw noProposal();
  await changeOrders(platform, async (locked) => {
    await locked.lockRide(change.rideId);
    const withdrawn = await store.moveChange(await locked.db(), change.id, 'withdraw', platform.clock.now());
    if (withdrawn === null) throw proposalOver();
    const agreed = agreedOf(locked, change.rideId);
    tellChange(locked, withdrawn, { agreed, byId: personId });
  });
  return { order: await orders.view(change.rideId, personId) };
}

/** @returns the order that the passenger sees next: the ride they stay with, or their reopened request. */
async function answerAsPassenger(
  context: BookingContext,
  change: store.ChangeRow,
  passengerId: string,
  accepted: boolean,
): Promise<string> {
  const { orders, platform } = context;
  const own = (await orders.bookingsOf(platform.db, { rideIds: [change.rideId] })).find(
    (booking) => isAgreed(booking) && booking.passengerId === passengerId,
  );
  if (own === undefined) throw noProposal();
  await changeOrders(platform, async (locked) => {
    const ride = (await locked.lockRide(change.rideId))!;
    const open = await store.openChangeOf(await locked.db(), ride.id);
    const booking = locked.bookingsOfRide(ride.id).find(({ id }) => id === own.id);
    const isAnswered = (await store.acceptedBy(await locked.db(), change.id)).has(own.id);
    const at = platform.clock.now();
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
    if (accepted) await accept(context, locked, { ride, booking }, open);
    else await leave(context, locked, { ride, booking });
    await settleChange(context, locked, ride.id, passengerId);
  });
  await payForChange(context, change.rideId);
  return accepted ? change.rideId : own.requestId;
}

interface Place {
  ride: RideRow;
  booking: BookingRow;
}

/** Refuses `order.overlap` where the passenger has another order at the new time. */
async function accept(
  context: BookingContext,
  locked: LockedOrders,
  { ride, booking }: Place,
  change: store.ChangeRow,
): Promise<void> {
  const { orders } = context;
  const { passengerId, requestId } = booking;
  const byMs = change.departsAt.getTime() - ride.departsAt.getTime();
  const request = (await locked.lockRequest(requestId))!;
  const span = orders.otherWay.spanOf(request, booking, byMs, change);
  const isFree =
    span === null
      ? await store.isFreeAfter(await locked.db(), requestId, byMs)
      : orders.areFreeFor(locked, [{ id: requestId, personId: passengerId, ...span }]);
  if (!isFree) throw timeTaken('changeId');
  tellChange(locked, change, { agreed: [booking], byId: passengerId });
}

/** The driver wanted other terms: the passenger owes nothing, and their request reopens. */
async function leave(
  { orders, platform }: BookingContext,
  locked: LockedOrders,
  { ride, booking }: Place,
): Promise<void> {
  const reason = 'changeDeclined';
  const moved = orders.moves.moveBooking(locked, booking, {
    move: booking.state === 'joined' ? 'cancel' : 'declineInvitation',
    by: { actor: 'passenger', actorId: booking.passengerId },
    set: { fault: 'driver', reason, endedAt: platform.clock.now() },
    note: reason,
  });
  orders.settle.leaveRoute(locked, ride, moved);
  orders.settle.booking(locked, moved);
}

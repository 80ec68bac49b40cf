import { isAgreed, changeableRideStates } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { brokenConstraint } from '../../../platform/database/db.ts';
import { notFound, Refusal } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import {
  currentAuthorization,
  followRide,
  isPaymentSecured,
  repriceAuthorization,
} from '../../payments/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { spanOf, planFor, takeRoute, followTraffic } from '../alternative-routes.ts';
import { leaveRoute, settleBooking, settleRequests, settleRide, closeAsks } from '../decide/cascade.ts';
import { bySystem, orderEdited } from '../decide/move-log.ts';
import { moveBooking } from '../decide/moves.ts';
import { areFreeFor } from '../decide/time.ts';
import { viewOrder } from '../order-views.ts';
import { bookingsOf, type BookingRow, type RideRow, claimRide } from '../store.ts';
import { planPayment } from './booking-payment.ts';
import { agreedOf, payForChange, proposalOver, tellChange, timeTaken } from './propose-change.ts';
import { payAnewBy } from './rules/deadlines.ts';
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

interface Asked {
  ride: RideRow;
  booking: BookingRow;
}

/** Refuses `order.overlap` where the passenger has another order at the new time. */
async function accept(
  locked: LockedOrders,
  { ride, booking }: Asked,
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
async function leave(app: App, locked: LockedOrders, { ride, booking }: Asked): Promise<void> {
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

/** A proposal being applied. */
interface Applying {
  change: store.ChangeRow;
  /** For the proposed route; null where the route does not change. */
  plan: ReturnType<typeof planFor>;
  /** The person whose answer was the last; null where the scheduler applies it. */
  byId: string | null;
}

/**
 * Applies a proposal that all on board have accepted, and ends one that is over. Where one of them has
 * another order at the new time, it lapses. Called under the lock on the ride.
 */
async function settleChange(
  app: App,
  locked: LockedOrders,
  rideId: string,
  byId: string | null,
): Promise<void> {
  try {
    await locked.inSavepoint(() => catchUp(app, locked, rideId, byId));
  } catch (error) {
    if (!isOverlap(error)) throw error;
    await locked.lockRide(rideId);
    const change = await store.openChangeOf(await locked.db(), rideId);
    if (change !== null) await lapse(app, locked, change, agreedOf(locked, rideId));
  }
}

/** Whether one of the people has another order at the new time. */
const isOverlap = (error: unknown): boolean =>
  brokenConstraint(error) === 'order_spans_no_overlap' ||
  (error instanceof Refusal && error.reason === 'order.overlap');

/** Scheduled: ends proposals that are over, and applies those whose last unanswered passenger has left. */
export async function settleDueChanges(app: App): Promise<void> {
  const { db, clock, log } = app;
  for (const { rideId } of await store.changesDue(db, clock.now())) {
    const now = clock.now();
    // A failure is tried again in the next round and does not hold up the others.
    try {
      const isSettled = await changeOrders(app, 'apply due changes', async (locked) => {
        if (!(await claimRide(await locked.db(), rideId))) return false;
        await settleChange(app, locked, rideId, null);
        await store.changeLookedAt(await locked.db(), rideId, now);
        return true;
      });
      if (isSettled) await payForChange(app, rideId);
    } catch (error) {
      log.error({ err: error, rideId }, 'a proposed change failed');
    }
  }
}

async function catchUp(app: App, locked: LockedOrders, rideId: string, byId: string | null): Promise<void> {
  const ride = await locked.lockRide(rideId);
  const change = await store.openChangeOf(await locked.db(), rideId);
  if (ride === null || change === null) return;
  const agreed = agreedOf(locked, rideId);
  const accepted = await store.acceptedBy(await locked.db(), change.id);
  const plan = planFor(app, ride, agreed, change);
  const canStand = changeableRideStates.includes(ride.state) && (change.way === null || plan !== null);
  if (canStand && agreed.every(({ id }) => accepted.has(id)))
    return apply(app, locked, ride, { change, plan, byId });
  if (change.expiresAt > app.clock.now() && canStand) return;
  await lapse(app, locked, change, agreed);
}

async function lapse(
  app: App,
  locked: LockedOrders,
  change: store.ChangeRow,
  agreed: readonly BookingRow[],
): Promise<void> {
  const lapsed = await store.moveChange(await locked.db(), change.id, 'lapse', app.clock.now());
  if (lapsed !== null) tellChange(locked, lapsed, { agreed, byId: null });
}

async function apply(app: App, locked: LockedOrders, ride: RideRow, applying: Applying): Promise<void> {
  const { change, byId } = applying;
  const bookings = locked.bookingsOfRide(ride.id);
  const agreed = bookings.filter(isAgreed);
  await closeAsking(app, locked, ride, bookings);
  await moveRideTo(app, locked, { ride, agreed }, applying);
  const requestIds = bookings.map(({ requestId }) => requestId);
  await locked.lockRide(ride.id, requestIds);
  if (change.costCents !== ride.costCents) await reprice(app, locked, { ride, agreed }, change.costCents);
  const applied = await store.moveChange(await locked.db(), change.id, 'apply', app.clock.now());
  if (applied === null) throw proposalOver();
  const changed = (await locked.lockRide(ride.id))!;
  await secureAnew(app, locked, changed);
  orderEdited(
    app,
    locked,
    { ride: changed },
    { by: { actor: 'driver', actorId: ride.driverId }, what: 'terms' },
  );
  tellChange(locked, applied, { agreed, byId });
  settleRequests(app, locked, bookings);
  settleRide(app, locked, ride.id);
}

/** A passenger with an ask or a reserved seat has not agreed to the new terms: their booking ends. */
async function closeAsking(
  app: App,
  locked: LockedOrders,
  ride: RideRow,
  bookings: readonly BookingRow[],
): Promise<void> {
  const asking = bookings.filter((booking) => !isAgreed(booking));
  closeAsks(app, locked, asking, { how: 'withdraw', reason: 'changed' });
  for (const booking of asking.filter(({ state }) => state === 'waiting for passenger acceptance'))
    leaveRoute(app, locked, (await locked.lockRide(ride.id))!, booking);
}

/** Gives the ride its new time and route, and updates its plan. */
async function moveRideTo(
  app: App,
  locked: LockedOrders,
  { ride, agreed }: { ride: RideRow; agreed: readonly BookingRow[] },
  { change, plan }: Applying,
): Promise<void> {
  const { way, route, departsAt } = change;
  const byMs = departsAt.getTime() - ride.departsAt.getTime();
  if (byMs !== 0) {
    await store.shiftRide(await locked.dbForOrders(), ride.id, agreed, byMs);
    const orderIds = [ride.id, ...agreed.map(({ requestId }) => requestId)];
    locked.emit('orders.written', { orderIds }, ride.id);
    await locked.lockRide(ride.id);
  }
  if (way !== null && plan !== null)
    await takeRoute(app, locked, ride.id, { seated: agreed, way, plan, route, departsAt });
  else if (byMs !== 0) await followTraffic(app, locked, ride.id, agreed);
}

async function reprice(
  app: App,
  locked: LockedOrders,
  { ride, agreed }: { ride: RideRow; agreed: readonly BookingRow[] },
  costCents: number,
): Promise<void> {
  locked.editRide(ride.id, { costCents });
  for (const booking of agreed) {
    // The price they were shown and accepted, whatever they offered before.
    const fareCents = ceilingCents({ ...ride, costCents }, booking.seats, null);
    locked.changeBooking(booking.id, { fareCents });
    if (booking.fareCents > 0) await repriceAuthorization(app, await locked.db(), booking.id, fareCents);
    else {
      const request = (await locked.lockRequest(booking.requestId))!;
      const amount = { amountCents: fareCents, isPresent: false };
      await planPayment(app, locked, { ride, request, booking }, amount);
    }
  }
}

/**
 * Adjusts authorizations to the changed ride. A booking that needs a new authorization has its seat reserved
 * until that is placed: no passenger rides on unsecured terms.
 */
async function secureAnew(app: App, locked: LockedOrders, ride: RideRow): Promise<void> {
  const agreed = agreedOf(locked, ride.id);
  await followRide(
    app,
    await locked.db(),
    ride,
    agreed.map(({ id }) => id),
  );
  for (const booking of agreed.filter(({ state }) => state === 'joined')) {
    const hold = await currentAuthorization(await locked.db(), booking.id);
    if (hold === null || hold.goal !== 'authorize' || isPaymentSecured(app, hold)) continue;
    const expiresAt = payAnewBy(app.clock.now(), ride.departsAt);
    moveBooking(app, locked, booking, { move: 'secureAnew', by: bySystem, expiresAt });
  }
}

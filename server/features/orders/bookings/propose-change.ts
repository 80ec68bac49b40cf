import { randomUUID } from 'node:crypto';
import { changeableRideStates, isAgreed } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import { ceilingCents } from '../../matching/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { areFreeFor } from '../decide/time.ts';
import { checkTime, checkPrice, checkAccount, checkAmount } from '../order-checks.ts';
import { orderNotFound, rideMovedOn } from '../order-refusals.ts';
import { viewOrder } from '../order-views.ts';
import { proposeRoute } from '../propose-route.ts';
import { isSameWay } from '../rules/edit-rules.ts';
import { type BookingRow, type RideRow, bookingsOf } from '../store.ts';
import { pay } from './booking-payment.ts';
import { answerChangeBy } from './rules/change-deadline.ts';
import * as store from './store.ts';
import type { ChangeRow } from './store.ts';

type Way = { from: Place; via: Place[]; to: Place };

/** A driver's proposal to the passengers on board. */
interface Proposal {
  departsAt: Date;
  costCents: number;
  /** Null where the route does not change. */
  way: Way | null;
  note: string;
}

/**
 * Proposes another time, price or route to the passengers on board; withdraws an open proposal. Each accepts
 * or leaves the ride free of charge. It applies once all still on board have accepted; until then, and
 * without an answer in time, the agreed terms hold.
 */
export async function proposeChange(
  app: App,
  driverId: string,
  input: { id: string; departsAt: string; costCents: number; way?: Way | null; note: string },
): Promise<{ order: Order }> {
  await changeOrders(app, 'propose change', async (locked) => {
    const ride = await locked.lockRide(input.id);
    if (ride === null || ride.driverId !== driverId) throw orderNotFound();
    const agreed = agreedOf(locked, ride.id);
    const proposal: Proposal = {
      departsAt: new Date(input.departsAt),
      costCents: input.costCents,
      way: input.way == null || isSameWay(ride, input.way) ? null : input.way,
      note: input.note,
    };
    await checkProposal(app, locked, { ride, agreed }, proposal);
    const change = await insertProposal(app, locked, { ride, agreed }, proposal);
    tellChange(locked, change, { agreed, byId: driverId });
    const passengerIds = agreed.map(({ passengerId }) => passengerId);
    const proposed = { changeId: change.id, rideId: ride.id, driverId, passengerIds };
    locked.emit('change.proposed', proposed, ride.id);
  });
  return { order: await viewOrder(app, input.id, driverId) };
}

interface Aboard {
  ride: RideRow;
  agreed: readonly BookingRow[];
}

/** Refuses, by field, a proposal that cannot be made. */
async function checkProposal(
  app: App,
  locked: LockedOrders,
  { ride, agreed }: Aboard,
  { departsAt, costCents, way }: Proposal,
): Promise<void> {
  if (!changeableRideStates.includes(ride.state)) throw rideMovedOn();
  if (agreed.length === 0)
    throw movedOn('change.nobody', 'No one has joined yet, so you can edit the ride itself.');
  const isSameTime = departsAt.getTime() === ride.departsAt.getTime();
  if (isSameTime && costCents === ride.costCents && way === null)
    throw refuseField('change.nothing', 'departsAt', 'Please enter another time, price or route.');
  checkTime(app, departsAt, 'departsAt');
  if (costCents !== ride.costCents) checkPrice({ ...ride, costCents }, 'costCents');
  if (costCents > 0 && ride.vehicleId === null)
    throw refuseField('order.vehicleMissing', 'costCents', 'Please add a vehicle first.');
  await checkAccount(app, locked, ride.driverId, { costCents, field: 'costCents' });
  for (const { seats } of agreed)
    checkAmount(app, ceilingCents({ ...ride, costCents }, seats, null), 'costCents');
}

/** Refuses `change.tooLate`, and `order.overlap` where the driver has another order at the new time. */
async function insertProposal(
  app: App,
  locked: LockedOrders,
  { ride, agreed }: Aboard,
  { departsAt, costCents, way, note }: Proposal,
): Promise<store.ChangeRow> {
  const now = app.clock.now();
  const expiresAt = answerChangeBy(now, [ride.departsAt, departsAt]);
  if (expiresAt === null)
    throw movedOn('change.tooLate', 'It’s too close to departure for the others to answer.');
  const anew =
    way === null ? null : await proposeRoute(app, locked, { ride, seated: agreed }, { way, departsAt });
  const isFree =
    anew === null
      ? await store.isFreeAfter(await locked.db(), ride.id, departsAt.getTime() - ride.departsAt.getTime())
      : areFreeFor(locked, [{ id: ride.id, personId: ride.driverId, ...anew.span }]);
  if (!isFree) throw timeTaken('departsAt');
  const before = await store.openChangeOf(await locked.db(), ride.id);
  if (before !== null) await store.moveChange(await locked.db(), before.id, 'withdraw', now);
  return store.insertChange(await locked.db(), {
    id: randomUUID(),
    rideId: ride.id,
    driverId: ride.driverId,
    state: 'open',
    departsAt,
    costCents,
    way: anew?.way ?? null,
    route: anew?.route ?? null,
    note,
    createdAt: now,
    expiresAt,
    nextAt: expiresAt,
  });
}

export const proposalOver = () => movedOn('change.moved', 'This proposal is over. Please check again.');

/** Refuses `order.overlap`: the person has another order at the proposed time. */
export const timeTaken = (field: string) =>
  refuseField(
    'order.overlap',
    field,
    'There is an existing ride at the same departure time, so choose a different time.',
  );

/** The passengers on board of a ride: each must accept a proposal. */
export const agreedOf = (locked: LockedOrders, rideId: string): BookingRow[] =>
  locked.bookingsOfRide(rideId).filter(isAgreed);

/**
 * Signals the pages of those concerned to reload the proposal. @param byId who moved it; null for the
 * scheduler.
 */
export function tellChange(
  locked: LockedOrders,
  { id, rideId, driverId, state }: ChangeRow,
  { agreed, byId }: { agreed: readonly BookingRow[]; byId: string | null },
): void {
  const passengerIds = agreed.map(({ passengerId }) => passengerId);
  const moved = { changeId: id, rideId, to: state, driverId, passengerIds, byId };
  locked.emit('change.moved', moved, rideId);
}

/** Requests the authorizations that an applied change needs, and moves their bookings. */
export async function payForChange(app: App, rideId: string): Promise<void> {
  const bookings = await bookingsOf(app.db, { rideIds: [rideId] });
  const waiting = bookings.filter(({ awaits }) => awaits === 'payment');
  await Promise.all(waiting.map(({ id }) => pay(app, id)));
}

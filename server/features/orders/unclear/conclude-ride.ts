import { endedRideStates, dayStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { contactDetailsOf, countRide } from '../../identity/service.ts';
import { carShares } from '../../matching/service.ts';
import { decideBy, contestFare, settleAuthorization } from '../../payments/service.ts';
import { type LockedOrders, changeOrders } from '../aggregate/locked-orders.ts';
import { closeAsks, settleRequests, settleRequest } from '../decide/cascade.ts';
import { settleFares } from '../decide/money.ts';
import { bySystem } from '../decide/move-log.ts';
import { moveRide, moveBooking, moveRequest } from '../decide/moves.ts';
import { contestWords, answerByAt, outcomeOf, type Said } from '../rules/unclear.ts';
import * as orders from '../store.ts';
import type { BookingRow } from '../store.ts';
import * as store from './store.ts';

/**
 * Asks both sides of the open ones among some bookings whether they rode. Called under the lock on the ride;
 * false where none of them is open.
 */
export async function askBothSides(
  app: App,
  locked: LockedOrders,
  ride: orders.RideRow,
  bookings: readonly orders.BookingRow[],
): Promise<boolean> {
  const open = bookings.filter(isOpen);
  if (open.length === 0) return false;
  const now = app.clock.now();
  // One deadline for the whole ride, which is concluded as a whole: also those who were on board pay then.
  const all = locked.bookingsOfRide(ride.id);
  const ends = await decideBy(
    app,
    await locked.db(),
    all.filter(isOpen).map(({ id }) => id),
  );
  const first = ends.length === 0 ? null : new Date(Math.min(...ends.map((at) => at.getTime())));
  const answerBy = answerByAt(now, first);
  const rows = open.map(({ id: bookingId, rideId, driverId, passengerId }) => ({
    bookingId,
    rideId,
    driverId,
    passengerId,
    askedAt: now,
    answerBy,
  }));
  await store.openQuestions(await locked.db(), rows);
  for (const { id } of open) locked.changeBooking(id, { unclearAt: now });
  locked.editRide(ride.id, { unclearAt: now });
  for (const booking of open) emitUnclear(locked, booking, 'asked');
  return true;
}

/** A person answers whether they rode. Refuses `booking.moved` where the question is not open. */
export async function answerQuestion(
  app: App,
  booking: orders.BookingRow,
  side: 'driver' | 'passenger',
  tookPlace: boolean,
): Promise<void> {
  await changeOrders(app, 'answer question', async (locked) => {
    const ride = (await locked.lockRide(booking.rideId))!;
    await saveAnswer(app, locked, ride, { bookingId: booking.id, side, tookPlace });
  });
}

/**
 * Writes one side's answer; the last answer concludes the ride. Called under the lock on the ride. Refuses
 * `booking.moved` where the question is not open.
 */
export async function saveAnswer(
  app: App,
  locked: LockedOrders,
  ride: orders.RideRow,
  { bookingId, side, tookPlace }: { bookingId: string; side: 'driver' | 'passenger'; tookPlace: boolean },
): Promise<void> {
  const said = side === 'driver' ? { driverSays: tookPlace } : { passengerSays: tookPlace };
  const [booking] = await orders.bookingsByIds(await locked.db(), [bookingId]);
  if (
    booking === undefined ||
    !isOpen(booking) ||
    !(await store.saveAnswer(await locked.db(), bookingId, said))
  )
    throw movedOn('booking.moved', 'This just changed. Please check again.');
  const questions = await store.questionsOf(await locked.db(), { rideIds: [ride.id] });
  emitUnclear(locked, booking, 'answered');
  if (questions.every(({ driverSays, passengerSays }) => driverSays !== null && passengerSays !== null))
    await concludeRide(app, locked, ride);
}

/** Ends the ride by the answers given so far. Called under the lock on it. */
async function concludeRide(app: App, locked: LockedOrders, ride: orders.RideRow): Promise<void> {
  const bookings = locked.bookingsOfRide(ride.id);
  const isOver = endedRideStates.includes(ride.state);
  const requestIds = new Set(bookings.map((each) => each.requestId));
  for (const requestId of [...requestIds].toSorted()) await locked.lockRequest(requestId);
  const concluded = await concludeBookings(app, locked, bookings, isOver);
  if (isOver) return;
  closeAsks(app, locked, bookings, { how: 'expire', reason: 'closed' });
  const finished = concluded.filter(({ state }) => state === 'finished');
  const isUnderWay = ride.state !== 'waiting' && ride.state !== 'driver reached';
  moveRide(app, locked, ride, {
    move: finished.length > 0 || isUnderWay ? 'conclude' : 'expire',
    by: bySystem,
    set: { endedAt: app.clock.now() },
  });
  locked.spans.free(ride.id);
  const stateBefore = new Map(bookings.map(({ id, state }) => [id, state]));
  for (const booking of concluded)
    if (stateBefore.get(booking.id) !== booking.state) await concludeRequest(app, locked, booking);
  settleRequests(app, locked, bookings);
  await payFinished(app, locked, ride, finished);
}

/** Concludes the open bookings of a ride; returns all its bookings afterwards. */
async function concludeBookings(
  app: App,
  locked: LockedOrders,
  bookings: readonly orders.BookingRow[],
  isOver: boolean,
): Promise<orders.BookingRow[]> {
  const now = app.clock.now();
  const rideIds = [...new Set(bookings.map(({ rideId }) => rideId))];
  const questions = await store.questionsOf(await locked.db(), { rideIds });
  const concluded: orders.BookingRow[] = [];
  for (const booking of bookings) {
    const question = questions.find(({ bookingId }) => bookingId === booking.id);
    if (isOver || !isOpen(booking)) {
      // Steps synced late have ended this booking already.
      if (question !== undefined) await store.closeQuestion(await locked.db(), booking.id, 'overtaken', now);
      concluded.push(booking);
    } else
      concluded.push(
        await concludeBooking(app, locked, booking, {
          driver: question?.driverSays ?? null,
          passenger: question?.passengerSays ?? null,
          wasAboard: booking.state === 'picked',
        }),
      );
  }
  return concluded;
}

/** Writes the outcome of one booking. Unless it was ridden, its payment is contested or released. */
async function concludeBooking(
  app: App,
  locked: LockedOrders,
  booking: orders.BookingRow,
  said: Said,
): Promise<orders.BookingRow> {
  const now = app.clock.now();
  const outcome = outcomeOf(said);
  await store.closeQuestion(await locked.db(), booking.id, outcome, now);
  const set = { endedAt: now };
  if (outcome === 'happened')
    return moveBooking(app, locked, booking, { move: 'agreeRidden', by: bySystem, set });
  const moved = moveBooking(app, locked, booking, { move: 'leaveOpen', by: bySystem, set });
  const details = await contactDetailsOf(app, [booking.passengerId], await locked.db());
  const language = details.get(booking.passengerId)?.language;
  if (outcome === 'contested')
    await contestFare(app, await locked.db(), booking, contestWords(language ?? 'en', said));
  else
    await settleAuthorization(app, await locked.db(), booking.id, {
      captureCents: 0,
      kind: 'cancellation',
      captureAt: now,
    });
  return moved;
}

/**
 * Ends the request of a concluded booking: its ride is over where the passenger rode, and it lapses where
 * they did not.
 */
async function concludeRequest(
  app: App,
  locked: LockedOrders,
  { requestId, state }: orders.BookingRow,
): Promise<void> {
  const { clock } = app;
  const request = await locked.lockRequest(requestId);
  if (request?.state !== 'joined') return;
  if (state === 'finished') {
    await countRide(await locked.db(), request.passengerId, request.driveMetres);
    return settleRequest(app, locked, requestId);
  }
  moveRequest(app, locked, request, { move: 'lapse', by: bySystem, set: { endedAt: clock.now() } });
  locked.spans.free(requestId);
}

/** Captures the fare of passengers who rode; the driver's shared distance counts. */
async function payFinished(
  app: App,
  locked: LockedOrders,
  ride: orders.RideRow,
  finished: readonly orders.BookingRow[],
): Promise<void> {
  if (finished.length === 0) return;
  settleFares(app, locked, finished, carShares(ride, finished, locked.bookingsOfRide(ride.id)));
  let sharedMetres = 0;
  for (const { requestId } of finished)
    sharedMetres += (await locked.lockRequest(requestId))?.driveMetres ?? 0;
  await countRide(await locked.db(), ride.driverId, sharedMetres);
}

/** Concludes a ride whose deadline for answers is over, unless another transaction has it. */
export async function concludeOverdue(app: App, rideId: string): Promise<void> {
  const { clock } = app;
  await changeOrders(app, 'conclude overdue', async (locked) => {
    if (!(await orders.claimRide(await locked.db(), rideId))) return;
    const ride = await locked.lockRide(rideId);
    const now = clock.now();
    const questions = await store.questionsOf(await locked.db(), { rideIds: [rideId] });
    if (ride !== null && questions.some(({ answerBy }) => answerBy <= now))
      await concludeRide(app, locked, ride);
  });
}

/** Rides whose deadline for answers is over. */
export const overdueRides = ({ db, clock }: App, limit: number): Promise<string[]> =>
  store.overdueRides(db, clock.now(), limit);

/** Whether the booking's day was under way: its outcome is unknown to the server. */
const isOpen = ({ state }: BookingRow): boolean => dayStates.includes(state);

/** Emits that both sides of a booking were asked, or that one has answered. */
const emitUnclear = (
  locked: LockedOrders,
  { id: bookingId, rideId, requestId, driverId, passengerId }: BookingRow,
  what: 'asked' | 'answered',
): void =>
  locked.emit('booking.unclear', { bookingId, rideId, requestId, driverId, passengerId, what }, rideId);

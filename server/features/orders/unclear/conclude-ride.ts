import { endedRideStates } from '#contract/rides/moves.ts';
import { bySystem } from '../move-log.ts';
import { contestWords } from '../rules/claim-texts.ts';
import { outcomeOf, type Said } from '../rules/unclear.ts';
import * as orders from '../store.ts';
import { isOpen, type UnclearContext } from './context.ts';
import * as store from './store.ts';
import { contactDetailsOf, countRide } from '../../identity/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { contestFare, settleAuthorization } from '../../payments/service.ts';

/** Ends the ride by the answers given so far. Called under the lock on it. */
export async function concludeRide(
  context: UnclearContext,
  locked: LockedOrders,
  ride: orders.RideRow,
): Promise<void> {
  const { moves, settle } = context;
  const bookings = locked.bookingsOfRide(ride.id);
  const isOver = endedRideStates.includes(ride.state);
  const requestIds = new Set(bookings.map((each) => each.requestId));
  for (const requestId of [...requestIds].toSorted()) await locked.lockRequest(requestId);
  const concluded = await concludeBookings(context, locked, bookings, isOver);
  if (isOver) return;
  settle.closeAsks(locked, bookings, { how: 'expire', reason: 'closed' });
  const finished = concluded.filter(({ state }) => state === 'finished');
  const isUnderWay = ride.state !== 'waiting' && ride.state !== 'driver reached';
  moves.moveRide(locked, ride, {
    move: finished.length > 0 || isUnderWay ? 'conclude' : 'expire',
    by: bySystem,
    set: { endedAt: context.platform.clock.now() },
  });
  locked.spans.free(ride.id);
  const stateBefore = new Map(bookings.map(({ id, state }) => [id, state]));
  for (const booking of concluded)
    if (stateBefore.get(booking.id) !== booking.state) await concludeRequest(context, locked, booking);
  settle.requests(locked, bookings);
  await payFinished(context, locked, ride, finished);
}

/** Concludes the open bookings of a ride; returns all its bookings afterwards. */
async function concludeBookings(
  context: UnclearContext,
  locked: LockedOrders,
  bookings: readonly orders.BookingRow[],
  isOver: boolean,
): Promise<orders.BookingRow[]> {
  const now = context.platform.clock.now();
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
        await concludeBooking(context, locked, booking, {
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
  { moves, platform }: UnclearContext,
  locked: LockedOrders,
  booking: orders.BookingRow,
  said: Said,
): Promise<orders.BookingRow> {
  const now = platform.clock.now();
  const outcome = outcomeOf(said);
  await store.closeQuestion(await locked.db(), booking.id, outcome, now);
  const set = { endedAt: now };
  if (outcome === 'happened')
    return moves.moveBooking(locked, booking, { move: 'agreeRidden', by: bySystem, set });
  const moved = moves.moveBooking(locked, booking, { move: 'leaveOpen', by: bySystem, set });
  const language = (await contactDetailsOf(platform, [booking.passengerId])).get(
    booking.passengerId,
  )?.language;
  if (outcome === 'contested')
    await contestFare(platform, await locked.db(), booking, contestWords(language ?? 'en', said));
  else
    await settleAuthorization(platform, await locked.db(), booking.id, {
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
  { moves, settle, platform: { clock } }: UnclearContext,
  locked: LockedOrders,
  { requestId, state }: orders.BookingRow,
): Promise<void> {
  const request = await locked.lockRequest(requestId);
  if (request?.state !== 'joined') return;
  if (state === 'finished') {
    await countRide(await locked.db(), request.passengerId, request.driveMetres);
    return settle.request(locked, requestId);
  }
  moves.moveRequest(locked, request, { move: 'lapse', by: bySystem, set: { endedAt: clock.now() } });
  locked.spans.free(requestId);
}

/** Captures the fare of passengers who rode; the driver's shared distance counts. */
async function payFinished(
  { money }: UnclearContext,
  locked: LockedOrders,
  ride: orders.RideRow,
  finished: readonly orders.BookingRow[],
): Promise<void> {
  if (finished.length === 0) return;
  money.fareDue(locked, finished, money.sharesOf(ride, finished, locked.bookingsOfRide(ride.id)));
  let sharedMetres = 0;
  for (const { requestId } of finished)
    sharedMetres += (await locked.lockRequest(requestId))?.driveMetres ?? 0;
  await countRide(await locked.db(), ride.driverId, sharedMetres);
}

/** Concludes a ride whose deadline for answers is over, unless another transaction has it. */
export async function concludeOverdue(context: UnclearContext, rideId: string): Promise<void> {
  const { clock } = context.platform;
  await changeOrders(context.platform, async (locked) => {
    if (!(await orders.claimRide(await locked.db(), rideId))) return;
    const ride = await locked.lockRide(rideId);
    const now = clock.now();
    const questions = await store.questionsOf(await locked.db(), { rideIds: [rideId] });
    if (ride !== null && questions.some(({ answerBy }) => answerBy <= now))
      await concludeRide(context, locked, ride);
  });
}

import { dayStates, endedRideStates } from '#contract/rides/moves.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn } from '../../../platform/refusal.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import type { Money } from '../money.ts';
import { bySystem } from '../move-log.ts';
import type { Moves } from '../moves.ts';
import { contestWords } from '../rules/claim-texts.ts';
import { answerByAt, outcomeOf, type Said } from '../rules/unclear.ts';
import type { Cascade } from '../cascade.ts';
import * as store from '../store.ts';
import * as own from './store.ts';

/** Of these no one knows what became. */

/**
 * Rides whose day fell into an outage. What did not happen then proves nothing: both sides are asked, and the money
 * follows what both say (decision 0033). A ride is concluded as a whole, because a price per car is shared among those
 * who rode.
 */
export function createUnclear(
  { db, transact, clock, outbox }: Platform,
  { identity, payments }: { identity: IdentityService; payments: PaymentsService },
  { moves, settle, money }: { moves: Moves; settle: Cascade; money: Money },
) {
  const isOpen = ({ state }: store.BookingRow) => dayStates.includes(state);

  async function tell(tx: Db, booking: store.BookingRow, what: 'asked' | 'answered'): Promise<void> {
    const { id: bookingId, rideId, requestId, driverId, passengerId } = booking;
    await outbox.emit(
      tx,
      'booking.unclear',
      { bookingId, rideId, requestId, driverId, passengerId, what },
      rideId,
    );
  }

  /** Asks both sides of every open booking. Called under the lock on the ride; false where nothing is open. */
  async function ask(tx: Db, ride: store.RideRow, bookings: readonly store.BookingRow[]): Promise<boolean> {
    const open = bookings.filter(isOpen);
    if (open.length === 0) return false;
    const now = clock.now();
    const ends = await payments.decideBy(
      tx,
      open.map(({ id }) => id),
    );
    // One time for the whole ride: it is concluded as a whole.
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
    await own.openQuestions(tx, ride.id, rows, now);
    for (const booking of open) await tell(tx, booking, 'asked');
    return true;
  }

  /** Writes down what came of one booking, and settles it where no one pays for the whole. */
  async function concludeBooking(tx: Db, booking: store.BookingRow, said: Said): Promise<store.BookingRow> {
    const now = clock.now();
    const outcome = outcomeOf(said);
    await own.closeQuestion(tx, booking.id, outcome, now);
    if (outcome === 'happened')
      return moves.moveBooking(tx, booking, { move: 'agreeRidden', by: bySystem, set: { endedAt: now } });
    const moved = await moves.moveBooking(tx, booking, {
      move: 'leaveOpen',
      by: bySystem,
      set: { endedAt: now },
    });
    const language = (await identity.contactDetails([booking.passengerId])).get(
      booking.passengerId,
    )?.language;
    if (outcome === 'contested') await payments.contest(tx, booking, contestWords(language ?? 'en', said));
    else await payments.settle(tx, booking.id, { takeCents: 0, kind: 'cancellation', takeAt: now });
    return moved;
  }

  async function concludeRequest(tx: Db, { requestId, state }: store.BookingRow): Promise<void> {
    const request = await store.lockRequest(tx, requestId);
    if (request?.state !== 'joined') return;
    if (state === 'finished') {
      await identity.countRide(tx, request.passengerId, request.driveMetres);
      return settle.request(tx, requestId);
    }
    await moves.moveRequest(tx, request, { move: 'lapse', by: bySystem, set: { endedAt: clock.now() } });
    await store.freeSpan(tx, requestId);
  }

  /** Ends the ride by what its people have said so far. Called under the lock on it. */
  async function conclude(tx: Db, ride: store.RideRow): Promise<void> {
    const now = clock.now();
    const questions = await own.questionsOf(tx, { rideIds: [ride.id] });
    const bookings = await store.bookingsOf(tx, { rideIds: [ride.id] });
    const isOver = endedRideStates.includes(ride.state);
    for (const requestId of [...new Set(bookings.map((each) => each.requestId))].toSorted())
      await store.lockRequest(tx, requestId);
    const after: store.BookingRow[] = [];
    for (const booking of bookings) {
      const question = questions.find(({ bookingId }) => bookingId === booking.id);
      if (isOver || !isOpen(booking)) {
        // Steps that came in late have said what became of it.
        if (question !== undefined) await own.closeQuestion(tx, booking.id, 'overtaken', now);
        after.push(booking);
      } else
        after.push(
          await concludeBooking(tx, booking, {
            driver: question?.driverSays ?? null,
            passenger: question?.passengerSays ?? null,
            wasAboard: booking.state === 'picked',
          }),
        );
    }
    if (isOver) return;
    await settle.closeAsks(tx, bookings, { how: 'expire', reason: 'closed' });
    const finished = after.filter(({ state }) => state === 'finished');
    const isUnderWay = ride.state !== 'waiting' && ride.state !== 'driver reached';
    await moves.moveRide(tx, ride, {
      move: finished.length > 0 || isUnderWay ? 'conclude' : 'expire',
      by: bySystem,
      set: {
        endedAt: now,
      },
    });
    await store.freeSpan(tx, ride.id);
    for (const booking of after.filter(
      (each) => bookings.find(({ id }) => id === each.id)?.state !== each.state,
    ))
      await concludeRequest(tx, booking);
    await settle.requests(tx, bookings);
    if (finished.length === 0) return;
    await money.fareDue(tx, finished, await money.sharesOf(tx, ride, finished));
    let sharedMetres = 0;
    for (const { requestId } of finished)
      sharedMetres += (await store.lockRequest(tx, requestId))?.driveMetres ?? 0;
    await identity.countRide(tx, ride.driverId, sharedMetres);
  }

  /** What one side says; with the last answer the ride is concluded. Called under the lock on the ride. */
  async function note(
    tx: Db,
    ride: store.RideRow,
    { bookingId, side, tookPlace }: { bookingId: string; side: 'driver' | 'passenger'; tookPlace: boolean },
  ): Promise<void> {
    const said = side === 'driver' ? { driverSays: tookPlace } : { passengerSays: tookPlace };
    const [booking] = await store.bookingsByIds(tx, [bookingId]);
    if (booking === undefined || !isOpen(booking) || !(await own.saveAnswer(tx, bookingId, said)))
      throw movedOn('booking.moved', 'This has moved on. Please look again.');
    const questions = await own.questionsOf(tx, { rideIds: [ride.id] });
    await tell(tx, booking, 'answered');
    if (questions.every(({ driverSays, passengerSays }) => driverSays !== null && passengerSays !== null))
      await conclude(tx, ride);
  }

  return {
    ask,
    note,

    /** A person answers whether they rode. Refuses `booking.moved` where they are not asked. */
    async answer(booking: store.BookingRow, side: 'driver' | 'passenger', tookPlace: boolean): Promise<void> {
      await transact(async (tx) => {
        const ride = (await store.lockRide(tx, booking.rideId))!;
        await note(tx, ride, { bookingId: booking.id, side, tookPlace });
      });
    },

    /** Rides whose people had their time to answer. */
    overdue: (limit: number) => own.overdueRides(db, clock.now(), limit),

    /** Concludes a ride whose people had their time to answer. */
    async concludeOverdue(rideId: string): Promise<void> {
      await transact(async (tx) => {
        const ride = await store.lockRide(tx, rideId);
        const now = clock.now();
        const questions = await own.questionsOf(tx, { rideIds: [rideId] });
        if (ride !== null && questions.some(({ answerBy }) => answerBy <= now)) await conclude(tx, ride);
      });
    },
  };
}

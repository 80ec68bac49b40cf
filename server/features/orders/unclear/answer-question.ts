import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import * as orders from '../store.ts';
import { concludeRide } from './conclude-ride.ts';
import { emitUnclear, isOpen } from './signal-unclear.ts';
import * as store from './store.ts';

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

import type { LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { bookingNotFound, bySystem, ownBooking, settleBooking, moveBooking } from '../orders/service.ts';
import { ridingTogether } from './rules/riding-together.ts';
import { onBooking, staleBooking } from './scene.ts';
import * as store from './store.ts';

/**
 * A passenger's position, after one side alone has confirmed the meeting: who moves with the car is on board,
 * as if the other side had confirmed. Refuses `booking.notFound`, and `booking.moved` at any other time.
 */
export async function tellRiderLocation(
  app: App,
  { bookingId, lon, lat }: { bookingId: string } & LonLat,
  passengerId: string,
): Promise<{ boarded: boolean }> {
  const { db, clock } = app;
  const { booking, side } = await ownBooking(app, bookingId, passengerId);
  if (side !== 'passenger') throw bookingNotFound();
  if (booking.state !== 'picking') throw staleBooking();
  const here = { lon, lat, at: clock.now() };
  const { rideId } = booking;
  const [car, since] = await Promise.all([store.positionOf(db, rideId), store.firstTogether(db, bookingId)]);
  const outcome = ridingTogether(here, car, since);
  if (outcome === 'begins') await store.saveTogether(db, { bookingId, rideId, passengerId, ...here });
  if (outcome === 'apart') await store.wipeTogether(db, bookingId);
  if (outcome === 'moved') await board(app, bookingId, passengerId);
  return { boarded: outcome === 'moved' };
}

async function board(app: App, bookingId: string, passengerId: string): Promise<void> {
  await onBooking(
    app,
    { bookingId, personId: passengerId, side: 'passenger' },
    async ({ locked }, booking) => {
      // The other side may have confirmed, or one of them taken it back, a moment ago.
      if (booking.state !== 'picking') return;
      const move = { move: 'board', by: bySystem, note: 'together' } as const;
      settleBooking(app, locked, moveBooking(app, locked, booking, move));
      await store.wipeTogether(await locked.db(), bookingId);
    },
  );
}

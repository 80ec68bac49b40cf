import { randomUUID } from 'node:crypto';
import { endedBookingStates, openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { ceilingCents, withBooking, type MatchingService } from '../matching/service.ts';
import { standingOf } from './bookings/store.ts';
import { bookedPlace } from './booked-place.ts';
import { bySystem } from './move-log.ts';
import type { Moves } from './moves.ts';
import { followPlan, haveTimeFor } from './spans/store.ts';
import * as store from './store.ts';

async function mayRideTogether(tx: Db, ride: store.RideRow, request: store.RequestRow): Promise<boolean> {
  const { isFree, areActive } = await standingOf(tx, ride, request.passengerId);
  return isFree && areActive;
}

/** Keeps a free seat for a while for the first on the waitlist whom it fits, then for the next. */
export function createOfferSeat({ clock, env }: Platform, moves: Moves, matching: MatchingService) {
  /**
   * Keeps a seat for the first on the waitlist who fits. Returns their request, which must settle; null when
   * none fits. Called under the lock on the ride, in the transaction that freed the seat, so that no other
   * passenger can take it in between.
   */
  return async function offerNext(tx: Db, ride: store.RideRow): Promise<string | null> {
    const now = clock.now();
    if (!openRideStates.includes(ride.state) || now >= ride.latestDepartsAt) return null;
    for (const { requestId } of await store.waitingFor(tx, [ride.id])) {
      const request = await store.lockRequest(tx, requestId);
      const bookings = await store.bookingsOf(tx, { requestIds: [requestId] });
      const between = bookings.some(
        ({ rideId, state }) => rideId === ride.id && !endedBookingStates.includes(state),
      );
      if (
        request === null ||
        between ||
        !openRequestStates.includes(request.state) ||
        !(await mayRideTogether(tx, ride, request))
      ) {
        await store.stopWaiting(tx, { rideId: ride.id, requestId });
        continue;
      }
      const found = await matching.fit(tx, ride, request);
      if (found === null) continue;
      const fareCents = ceilingCents(ride, request.seats, request.offerCents);
      if (fareCents > env.MAX_TRANSACTION_CENTS) continue;
      if (!(await haveTimeFor(tx, ride, request, found))) continue;
      const { plan, wish, insertion } = found;
      const id = randomUUID();
      const endsAt = later(now, env.WAITLIST_OFFER_MINUTES * minuteMs);
      await moves.openBooking(
        tx,
        { move: 'offer', by: bySystem },
        {
          id,
          ...bookedPlace(ride, request, insertion, fareCents),
          startedBy: 'driver',
          expiresAt: endsAt < ride.latestDepartsAt ? endsAt : ride.latestDepartsAt,
          createdAt: now,
        },
      );
      await store.savePlan(tx, ride.id, withBooking(plan, { ...wish, seats: 0 }, insertion, id));
      if (!(await store.claimSeats(tx, ride.id, id, request.seats)))
        throw new Error(`ride ${ride.id} has no seat where its plan has one`);
      await followPlan(tx, ride.id);
      await store.stopWaiting(tx, { rideId: ride.id, requestId });
      return requestId;
    }
    return null;
  };
}

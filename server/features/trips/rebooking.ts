import { openRequestStates } from '#contract/rides/moves.ts';
import type { OutputOf } from '#contract/define.ts';
import { mostRescues, type rescue } from '#contract/trips/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';
import { lostBooking, orderNotFound, type OrdersService, type RequestRow } from '../orders/service.ts';
import { rescueEmail } from './rules/emails.ts';
import * as store from './store.ts';

type Rescue = OutputOf<typeof rescue>;

const none: Rescue = { because: null, driverName: '', candidates: [] };

/** Other rides for a passenger whose driver canceled or did not come. */
export function createRebooking(
  { db, transact, clock, outbox, env }: Platform,
  { orders, identity }: { orders: OrdersService; identity: IdentityService },
) {
  async function lostOf(request: RequestRow) {
    return openRequestStates.includes(request.state)
      ? lostBooking(await orders.bookingsOf(db, { requestIds: [request.id] }))
      : null;
  }

  /** The best rides that fit the request now, without the lost one. */
  async function rescueOf(request: RequestRow): Promise<Rescue> {
    const lost = await lostOf(request);
    if (lost === null) return none;
    const [{ candidates }, people, broken] = await Promise.all([
      orders.match(request.id, request.passengerId, 0),
      identity.people([lost.driverId]),
      orders.broken.bookingsOf([lost.rideId]),
    ]);
    return {
      because: broken.some(({ bookingId }) => bookingId === lost.id)
        ? 'brokenOff'
        : lost.state === 'missed'
          ? 'missed'
          : lost.reason === 'changeDeclined'
            ? 'declined'
            : 'cancelled',
      driverName: people.get(lost.driverId)?.name ?? '',
      // Of those shown, instant rides come first.
      candidates: candidates
        .filter(({ ride }) => ride.id !== lost.rideId)
        .slice(0, mostRescues)
        .toSorted((a, b) => Number(b.ride.instant) - Number(a.ride.instant)),
    };
  }

  return {
    /** Other rides for one's own request that lost its driver. Refuses a request that is not the caller's. */
    async rescue(requestId: string, passengerId: string): Promise<Rescue> {
      const request = await orders.requestById(requestId);
      if (request === null || request.passengerId !== passengerId) throw orderNotFound();
      return rescueOf(request);
    },

    /** Emails a passenger whose driver let them down, once per lost booking. */
    async tellOfRescue(requestId: string): Promise<void> {
      const request = await orders.requestById(requestId);
      const lost = request === null ? null : await lostOf(request);
      if (request === null || lost === null) return;
      const { because, driverName, candidates } = await rescueOf(request);
      const person = (await identity.contactDetails([request.passengerId])).get(request.passengerId);
      // A passenger who has just declined a proposed change is on the page that offers the other rides.
      if (because === null || because === 'declined' || person === undefined) return;
      await transact(async (tx) => {
        if (!(await store.claimRescueLetter(tx, lost.id, clock.now()))) return;
        const { timeZone } = request;
        const link = `${env.publicUrl}/pages/order/detail?id=${requestId}`;
        const email = rescueEmail(person.language, { because, driverName, timeZone, candidates, link });
        await outbox.post(tx, { to: person.email, ...email });
      });
    },
  };
}

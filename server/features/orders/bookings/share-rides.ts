import type { Sharing } from '../../../platform/database/shared-transactions.ts';
import { unitOf } from '../unit/order-unit.ts';

/** What a call on a ride locks. */
export interface RideWish {
  rideId: string;
  /** The request that has, or is about to have, a booking of the ride. */
  requestId: string;
  /** Whether the owners of the two must see each other's. */
  inSight?: boolean;
}

const mostPaid = 20_000;
/** Rides that were paid when locked last: payments are asked for and noted by statements of their own. */
const paid = new Set<string>();

function notePaid(rideId: string): void {
  if (paid.size >= mostPaid) paid.clear();
  paid.add(rideId);
}

/** Whether calls on a ride go alone, as far as that is known without it. */
export const goesAlone = (rideId: string): boolean => paid.has(rideId);

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Calls on rides share transactions: their rides and requests are locked and read by one statement. */
export const sharedRides: Sharing<RideWish> = {
  lineOf: ({ rideId }) => rideId,
  async lock(tx, wishes) {
    const unit = unitOf(tx)!;
    await unit.lock(tx, {
      rideIds: unique(wishes.map(({ rideId }) => rideId)),
      beside: unique(wishes.map(({ requestId }) => requestId)),
      inSight: wishes.filter(({ inSight }) => inSight === true),
      isShared: true,
    });
    for (const { rideId } of wishes) if ((unit.ride(rideId)?.costCents ?? 0) > 0) notePaid(rideId);
    return wishes.map(({ rideId }) => unit.ride(rideId)?.costCents === 0);
  },
};

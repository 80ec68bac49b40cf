import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import type { SharedPlace } from '../../../platform/database/shared-transactions.ts';
import type { OrderService } from '../order-service.ts';
import type { MessageDirectory } from '../upper-directories.ts';
import { unitOf, type OrderUnit } from '../unit/order-unit.ts';
import { goesAlone, type RideWish } from './share-rides.ts';

/** What the commands of bookings depend on. */
export interface BookingContext {
  platform: Platform;
  orders: OrderService;
  matching: MatchingService;
  payments: PaymentsService;
  messages: MessageDirectory;
  /** A place in a transaction that calls on several rides share. */
  share: (wish: RideWish) => SharedPlace;
}

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 * @param ride its id, or what is locked where the transaction may be shared
 * @returns what the transaction held of orders, for the answer; null where it has been done before.
 */
export async function onRide(
  { platform, share }: BookingContext,
  ride: string | RideWish,
  work: (tx: Db) => Promise<void>,
): Promise<OrderUnit | null> {
  let held: OrderUnit | null = null;
  const rideId = typeof ride === 'string' ? ride : ride.rideId;
  const place = typeof ride === 'string' || goesAlone(rideId) ? undefined : share(ride);
  await platform.transact(
    async (tx) => {
      await work(tx);
      held = unitOf(tx);
    },
    rideId,
    place,
  );
  return held;
}

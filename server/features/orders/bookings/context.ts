import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import type { OrderService } from '../order-service.ts';
import { unitOf, type OrderUnit } from '../unit/order-unit.ts';

/** What the commands of bookings depend on. */
export interface BookingContext {
  platform: Platform;
  orders: OrderService;
  matching: MatchingService;
  payments: PaymentsService;
}

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 * @returns what the transaction held of orders, for the answer; null where it has been done before.
 */
export async function onRide(
  { platform }: BookingContext,
  rideId: string,
  work: (tx: Db) => Promise<void>,
): Promise<OrderUnit | null> {
  let held: OrderUnit | null = null;
  await platform.transact(async (tx) => {
    await work(tx);
    held = unitOf(tx);
  }, rideId);
  return held;
}

import type { App } from '../../../app-type.ts';
import type { OrderService } from '../order-service.ts';
import type { MessageDirectory } from '../upper-directories.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';

/** What the commands of bookings depend on. */
export interface BookingContext {
  platform: App;
  orders: OrderService;
  messages: MessageDirectory;
}

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 */
export const onRide = <T>(
  { platform }: BookingContext,
  rideId: string,
  work: (locked: LockedOrders) => Promise<T>,
): Promise<T> => changeOrders(platform, work, rideId);

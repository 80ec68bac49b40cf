import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import type { OrderService } from '../order-service.ts';
import type { MessageDirectory } from '../upper-directories.ts';

/** What the commands of bookings depend on. */
export interface BookingContext {
  platform: App;
  orders: OrderService;
  matching: MatchingService;
  payments: PaymentsService;
  messages: MessageDirectory;
}

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 */
export const onRide = <T>(
  { platform }: BookingContext,
  rideId: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> => platform.transact(work, rideId);

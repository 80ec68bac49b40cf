import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import type { OrderService } from '../order-service.ts';

/** What the commands of bookings depend on. */
export interface BookingContext {
  platform: Platform;
  orders: OrderService;
  matching: MatchingService;
  payments: PaymentsService;
}

/** A transaction on a ride. Commands on the same ride queue in this process, without a connection each. */
export const onRide = (
  { platform }: BookingContext,
  rideId: string,
  work: (tx: Db) => Promise<void>,
): Promise<void> => platform.transact(work, rideId);

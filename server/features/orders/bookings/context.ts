import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { PaymentsService } from '../../payments/service.ts';
import type { OrderService } from '../order-service.ts';

/** What the commands of bookings stand on. */
export interface BookingContext {
  platform: Platform;
  orders: OrderService;
  matching: MatchingService;
  payments: PaymentsService;
}

/** A transaction on a ride. Those who want the same ride wait in this process, without a connection each. */
export const onRide = (
  { platform }: BookingContext,
  rideId: string,
  work: (tx: Db) => Promise<void>,
): Promise<void> => platform.transact(work, rideId);

import type { App } from '../../../app-type.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 */
export const onRide = <T>(app: App, rideId: string, work: (locked: LockedOrders) => Promise<T>): Promise<T> =>
  changeOrders(app, 'change ride', work, rideId);

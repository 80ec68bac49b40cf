import type { BookingMove } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import { bookingProcess } from '../orders/service.ts';
import type { AlertsService } from './service.ts';

/**
 * Matches orders that are published, changed or free again against the alerts. Handling a signal twice finds
 * nothing new.
 */
export function listenForAlerts({ outbox }: Platform, alerts: AlertsService): void {
  outbox.on('ride.moved', 'alerts', ({ at, payload }) => alerts.rideChanged(payload.rideId, at));
  outbox.on('request.moved', 'alerts', ({ at, payload }) => alerts.requestChanged(payload.requestId, at));
  outbox.on('orders.expired', 'alerts', ({ payload: { kind, orders } }) =>
    alerts.ordersEnded(
      kind,
      orders.map(({ id }) => id),
    ),
  );
  outbox.on(
    'booking.moved',
    'alerts',
    ({ at, payload }) => alerts.rideChanged(payload.rideId, at),
    ({ move }) => bookingProcess[move as BookingMove].changesFit,
  );
  outbox.on('order.edited', 'alerts', ({ at, payload: { kind, orderId } }) =>
    kind === 'ride' ? alerts.rideChanged(orderId, at) : alerts.requestChanged(orderId, at),
  );
  outbox.on('alert.saved', 'alerts', ({ payload }) => alerts.alertSaved(payload.alertId));
}

import type { BookingMove } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AlertsService } from './service.ts';

/** Whether a booking's move changes who else fits its ride: its route, its seats, or the share of a car's price. */
const changesRide = {
  ask: false,
  invite: false,
  offer: true,
  accept: true,
  joinAtOnce: true,
  acceptInvitation: true,
  agree: true,
  pay: false,
  holdFailed: false,
  secureAnew: false,
  reject: false,
  declineInvitation: false,
  withdraw: false,
  withdrawInvitation: false,
  expire: false,
  cancel: true,
  gather: false,
  reach: false,
  meet: false,
  board: false,
  undoMeet: false,
  noShow: true,
  reportDriver: true,
  meetLate: false,
  boardLate: true,
  dropOff: false,
  breakOff: false,
  agreeRidden: false,
  leaveOpen: false,
} satisfies Record<BookingMove, boolean>;

/** Whatever is published, changed, or free again is held against the alerts. The same signal twice finds nothing new. */
export function listenForAlerts({ outbox }: Platform, alerts: AlertsService): void {
  outbox.on('ride.moved', 'alerts', ({ at, payload }) => alerts.rideChanged(payload.rideId, at));
  outbox.on('request.moved', 'alerts', ({ at, payload }) => alerts.requestChanged(payload.requestId, at));
  outbox.on('orders.expired', 'alerts', ({ payload: { kind, orders } }) =>
    alerts.ordersEnded(
      kind,
      orders.map(({ id }) => id),
    ),
  );
  outbox.on('booking.moved', 'alerts', async ({ at, payload }) => {
    if (changesRide[payload.move as BookingMove]) await alerts.rideChanged(payload.rideId, at);
  });
  outbox.on('order.edited', 'alerts', ({ at, payload: { kind, orderId } }) =>
    kind === 'ride' ? alerts.rideChanged(orderId, at) : alerts.requestChanged(orderId, at),
  );
  outbox.on('alert.saved', 'alerts', ({ payload }) => alerts.alertSaved(payload.alertId));
}

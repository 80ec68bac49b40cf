import type { BookingMove, RequestMove } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import type { SignalOf } from '../../platform/events/listeners.ts';
import { bookingProcess } from '../orders/service.ts';
import { ridesChanged, requestsChanged, alertSaved } from './match-changes.ts';
import type { ChangedOrder } from './match-order.ts';
import { loseAllHits } from './store.ts';

/**
 * A request that is asked for, invited or has found its ride no longer fits, and no better than before; where
 * its alerts show it, its state is read again.
 */
const changesNoFit: readonly RequestMove[] = ['asked', 'invited', 'join'];

const concerns = {
  'ride.moved': true,
  'request.moved': ({ move }: { move: string }) => !changesNoFit.includes(move as RequestMove),
  'orders.expired': true,
  'booking.moved': ({ move }: { move: string }) => bookingProcess[move as BookingMove].changesFit,
  'order.edited': true,
  'alert.saved': true,
} as const;
type AlertSignal = SignalOf<keyof typeof concerns>;

/** A hit may be notified this much later, and one search for near alerts serves all orders of that time. */
const restMs = 500;

/**
 * Matches orders that are published, changed or free again against the alerts. Handling a signal twice finds
 * nothing new.
 */
export function listenForAlerts(app: App): void {
  const hear = async (signals: readonly AlertSignal[]): Promise<void> => {
    for (const { name, payload } of signals)
      if (name === 'orders.expired')
        await loseAllHits(
          app.db,
          payload.kind,
          payload.orders.map(({ id }) => id),
          app.clock.now(),
        );
    const rides = changedOrders(signals, changedRide);
    const requests = changedOrders(signals, changedRequest);
    if (rides.length > 0) await ridesChanged(app, rides);
    if (requests.length > 0) await requestsChanged(app, requests);
    // Last: orders older than the alert cause no notification.
    for (const { name, payload } of signals)
      if (name === 'alert.saved') await alertSaved(app, payload.alertId);
  };
  app.outbox.listen('alerts', concerns, hear, { restMs });
}

/** Each order once, as of its last change. */
function changedOrders(
  signals: readonly AlertSignal[],
  of: (signal: AlertSignal) => ChangedOrder | null,
): ChangedOrder[] {
  const changed = new Map<string, ChangedOrder>();
  for (const signal of signals) {
    const order = of(signal);
    if (order !== null) changed.set(order.id, order);
  }
  return [...changed.values()];
}

function changedRide({ name, payload, at }: AlertSignal): ChangedOrder | null {
  if (name === 'ride.moved') return { id: payload.rideId, at };
  if (name === 'booking.moved') return { id: payload.rideId, at };
  if (name === 'order.edited' && payload.kind === 'ride') return { id: payload.orderId, at };
  return null;
}

function changedRequest({ name, payload, at }: AlertSignal): ChangedOrder | null {
  if (name === 'request.moved') return { id: payload.requestId, at };
  if (name === 'order.edited' && payload.kind === 'request') return { id: payload.orderId, at };
  return null;
}

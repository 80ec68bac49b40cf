import type { Order } from '#contract/rides/views.ts';
import { localOf } from '../../core/zoned-time.ts';
import { placeOf } from '../../domain/place/place-of.ts';
import { driverStore, passengerStore } from '../../features/planning/draft.ts';

/** Starts a plan with the way of a known ride or request, and its time unless that is over. */
export function prefillFrom(role: 'driver' | 'passenger', order: Order, withTime: boolean): void {
  const at = order.role === 'driver' ? order.departsAt : order.earliestAt;
  // A passenger whose ride ended on the way is somewhere else now: the plan begins with their own position.
  const isStranded = order.role === 'passenger' && order.bookings.at(-1)?.broken != null;
  const part = {
    from: isStranded ? null : placeOf(order.from),
    to: placeOf(order.to),
    local: withTime ? localOf(at, order.timeZone) : '',
    eventId: order.eventId,
  };
  // The way of one's own ride again goes by its own stops.
  const via = order.role === 'driver' && order.mine ? order.via.map(placeOf) : [];
  if (role === 'driver') driverStore.write({ ...driverStore.read(), ...part, via });
  else passengerStore.write({ ...passengerStore.read(), ...part });
}

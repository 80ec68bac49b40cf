import type { Series } from '#contract/rides/recurring.ts';
import { localOf } from '../../core/zoned-time.ts';
import { editedRequestStore, editedRideStore } from './draft.ts';
import { detourMinutes } from './ride-form.tsx';

/**
 * Starts to edit a series from what all its days have in common; its time is that of the next day to come.
 */
export function startEditingRecurring({ id, order, rule, timeZone, days }: Series, now: number): void {
  const { weekdays, localTime, untilDay } = rule;
  const day = days.find(({ at }) => Date.parse(at) > now)?.day ?? localOf(now, timeZone).slice(0, 10);
  const common = {
    of: id,
    local: `${day}T${localTime}`,
    back: null,
    weekly: { weekdays, untilDay },
    eventId: null,
  };
  if (order.role === 'driver') {
    const { role: _role, priceKind, costCents, maxDetourMinutes, ...rest } = order;
    editedRideStore.write({
      ...rest,
      ...common,
      price: costCents === 0 ? 'free' : priceKind,
      costCents: costCents === 0 ? null : costCents,
      maxDetourMinutes:
        maxDetourMinutes !== null && detourMinutes.includes(maxDetourMinutes) ? maxDetourMinutes : null,
    });
  } else {
    const { role: _role, ...rest } = order;
    editedRequestStore.write({ ...rest, ...common });
  }
}

import type { RecurringOrder } from '#contract/rides/recurring.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { RequestInput, RideInput } from '../order-input.ts';

/** The order of one day of recurring rides, as input for publishing. */
export function orderAt(template: RecurringOrder, at: Date): RideInput | RequestInput {
  if (template.role === 'driver') return { ...template, departsAt: at.toISOString(), eventId: null };
  const { flexMinutes, ...order } = template;
  const shifted = (minutes: number) => later(at, minutes * minuteMs).toISOString();
  return { ...order, earliestAt: shifted(-flexMinutes), latestAt: shifted(flexMinutes), eventId: null };
}

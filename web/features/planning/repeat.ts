import { Temporal } from 'temporal-polyfill';
import type { InputOf } from '#contract/define.ts';
import type { createPair, createSeries } from '#contract/rides/recurring.ts';
import { planAheadDays } from '#contract/units.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import type { PlanValues } from './plan-values.ts';
import type { RequestInput, RideInput } from './order-input.ts';

type Draft = Pick<PlanValues, 'local' | 'back' | 'weekly' | 'flexMinutes'>;
type Order = RideInput | RequestInput;
export type SeriesInput = InputOf<typeof createSeries>['series'];

/** What a plan becomes once it is published: one order, there and back, or a series of either. */
export type Plan =
  | { kind: 'one'; order: Order }
  | ({ kind: 'pair' } & InputOf<typeof createPair>)
  | { kind: 'series'; series: SeriesInput; back: SeriesInput | null };

const minuteMs = 60_000;
const hoursThere = 8;
const firstWeeks = 4;

/** The last day that can be planned. */
export const lastDay = (now: number, zone: string): string =>
  localOf(now + planAheadDays * 24 * 60 * minuteMs, zone).slice(0, 10);

/** A sensible way back: the same seats, a working day later. */
export const firstBack = (local: string, seats: number): NonNullable<Draft['back']> => ({
  local:
    local === ''
      ? ''
      : Temporal.PlainDateTime.from(local).add({ hours: hoursThere }).toString({ smallestUnit: 'minute' }),
  seats,
});

/** A sensible week: the weekday planned, for four weeks. */
export function firstWeek(local: string): NonNullable<Draft['weekly']> {
  if (local === '') return { weekdays: [], untilDay: '' };
  const day = Temporal.PlainDateTime.from(local).toPlainDate();
  return { weekdays: [day.dayOfWeek], untilDay: day.add({ weeks: firstWeeks }).toString() };
}

/**
 * Whether the way back of a week is on the day after: by the clock it leaves before the way there does.
 * `07:15` each.
 */
export const isDayAfter = (there: string, back: string): boolean =>
  there !== '' && back !== '' && back < there;

/**
 * The order of the way back: the two ends change places, and it has its own time and seats. It belongs to no
 * event or flight.
 */
function backOf(order: Order, draft: Draft, zone: string): Order {
  const at = instantOf(draft.back?.local ?? '', zone) ?? '';
  const turned = {
    from: order.to,
    to: order.from,
    seats: draft.back?.seats ?? order.seats,
    eventId: null,
    flightNumber: '',
  };
  if (order.role === 'driver') return { ...order, ...turned, via: order.via?.toReversed(), departsAt: at };
  const shifted = (minutes: number) =>
    at === '' ? '' : new Date(Date.parse(at) + minutes * minuteMs).toISOString();
  const { flexMinutes } = draft;
  return { ...order, ...turned, earliestAt: shifted(-flexMinutes), latestAt: shifted(flexMinutes) };
}

/** An order as all days of a series have it. */
function recurringOf(order: Order, draft: Draft, localTime: string): SeriesInput {
  const weekly = draft.weekly ?? { weekdays: [], untilDay: '' };
  const rule = { ...weekly, localTime, fromDay: draft.local.slice(0, 10) };
  if (order.role === 'driver') {
    const { departsAt: _departsAt, eventId: _eventId, ...rest } = order;
    return { order: rest, rule };
  }
  const { earliestAt: _earliestAt, latestAt: _latestAt, eventId: _eventId, ...rest } = order;
  return { order: { ...rest, flexMinutes: draft.flexMinutes }, rule };
}

/** @param backZone the zone of the place where the way back begins. */
export function planOf(order: Order, draft: Draft, backZone: string): Plan {
  const back = draft.back === null ? null : backOf(order, draft, backZone);
  if (draft.weekly !== null) {
    const home = back === null ? null : recurringOf(back, draft, draft.back?.local.slice(11, 16) ?? '');
    return { kind: 'series', series: recurringOf(order, draft, draft.local.slice(11, 16)), back: home };
  }
  return back === null ? { kind: 'one', order } : { kind: 'pair', order, back };
}

import type { InputOf } from '#contract/define.ts';
import { isAirport } from '#contract/geo/airports.ts';
import type { createOrder } from '#contract/rides/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { instantOf } from '../../core/zoned-time.ts';
import type { PlanValues } from './plan-values.ts';
import { pricingOf } from './pricing.ts';
import type { Quote } from './use-planned-route.ts';

export type Order = InputOf<typeof createOrder>['order'];
export type RideInput = Extract<Order, { role: 'driver' }>;
export type RequestInput = Extract<Order, { role: 'passenger' }>;

const minuteMs = 60_000;
const nowhere: Place = { name: '', detail: '', lon: 0, lat: 0 };

const shared = (draft: PlanValues, contactWith: RideInput['contactWith']) => ({
  from: draft.from ?? nowhere,
  to: draft.to ?? nowhere,
  seats: draft.seats,
  visibility: draft.visibility,
  tagIds: draft.visibility === 'tags' ? draft.tagIds : [],
  note: draft.note,
  contactWith: draft.contactWith ?? contactWith,
  flightNumber: touchesAirport(draft) ? draft.flightNumber : '',
  eventId: draft.eventId,
  preferences: draft.preferences,
});

/** Whether a flight can be meant. */
export const touchesAirport = ({ from, to }: { from: Place | null; to: Place | null }): boolean =>
  [from, to].some((end) => end !== null && isAirport(end));

/** The window in which a passenger can be picked up. Null while the time is incomplete. */
export function windowOf(draft: PlanValues, zone: string): { earliestAt: string; latestAt: string } | null {
  const at = instantOf(draft.local, zone);
  if (at === null) return null;
  const shift = (minutes: number) => new Date(Date.parse(at) + minutes * minuteMs).toISOString();
  return { earliestAt: shift(-draft.flexMinutes), latestAt: shift(draft.flexMinutes) };
}

export interface PlanContext {
  zone: string;
  quote: Quote | null;
  contactWith: RideInput['contactWith'];
  now: number;
}

export interface RidePlanContext extends PlanContext {
  /** Whether the driver's payment account takes money; null while that is not known. */
  canBePaid: boolean | null;
}

/** The ride as the server takes it; `departsAt` is empty while the time is incomplete. */
export function rideInputOf(
  draft: PlanValues,
  vehicleId: string | null,
  context: Omit<RidePlanContext, 'now'>,
): RideInput {
  const { kind, costCents } = pricingOf(draft, context.quote, context.canBePaid);
  return {
    role: 'driver',
    ...shared(draft, context.contactWith),
    via: draft.via,
    departsAt: instantOf(draft.local, context.zone) ?? '',
    flexMinutes: draft.flexMinutes,
    vehicleId,
    priceKind: kind === 'perCar' ? 'perCar' : 'perPerson',
    costCents,
    maxDetourMinutes: draft.maxDetourMinutes,
    instant: draft.instant,
  };
}

/** The request as the server takes it; its times are empty while the time is incomplete. */
export function requestInputOf(
  draft: PlanValues,
  { zone, contactWith }: Pick<PlanContext, 'zone' | 'contactWith'>,
): RequestInput {
  const window = windowOf(draft, zone);
  return {
    role: 'passenger',
    ...shared(draft, contactWith),
    earliestAt: window?.earliestAt ?? '',
    latestAt: window?.latestAt ?? '',
    offerCents: draft.offerCents,
    walkMetres: draft.walkMetres,
  };
}

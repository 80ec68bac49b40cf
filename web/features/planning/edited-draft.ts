import type { Series } from '#contract/rides/recurring.ts';
import type { Order, Request, Ride } from '#contract/rides/views.ts';
import { localOf } from '../../core/zoned-time.ts';
import { placeOf } from '../../domain/place/place-of.ts';
import { detourMinutes } from './detours.ts';
import { editedRequestStore, editedRideStore, proposalStore, type PlanDraft } from './draft.ts';
import { emptyPlan, type PlanValues } from './plan-values.ts';
import type { RequestInput, RideInput } from './order-input.ts';

const minutesBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 60_000);

const priceOf = ({ costCents, priceKind }: Pick<Ride, 'costCents' | 'priceKind'>) =>
  costCents === 0 ? ({ price: 'free', costCents: null } as const) : { price: priceKind, costCents };

/** A detour that cannot be chosen is the advised one. */
const chosenDetour = (minutes: number | null) =>
  minutes !== null && detourMinutes.includes(minutes) ? minutes : null;

const shared = (order: Order) => ({
  of: order.id,
  from: placeOf(order.from),
  to: placeOf(order.to),
  seats: order.seats,
  visibility: order.visibility,
  tagIds: order.tagIds,
  note: order.note,
  contactWith: order.contactWith,
  flightNumber: order.flightNumber,
  eventId: order.eventId,
  preferences: order.preferences,
});

/** A published ride as the form shows it. */
const planOfRide = (ride: Ride): PlanValues => ({
  ...emptyPlan.driver,
  ...shared(ride),
  via: ride.via.map(placeOf),
  local: localOf(ride.earliestDepartsAt, ride.timeZone),
  flexMinutes: minutesBetween(ride.earliestDepartsAt, ride.latestDepartsAt),
  vehicleId: ride.vehicle?.id ?? null,
  ...priceOf(ride),
  instant: ride.instant,
  maxDetourMinutes: chosenDetour(ride.maxDetourSeconds / 60),
});

/** A published request as the form shows it: a time, and as much earlier as later. */
function planOfRequest(request: Request): PlanValues {
  const half = minutesBetween(request.earliestAt, request.latestAt) / 2;
  return {
    ...emptyPlan.passenger,
    ...shared(request),
    local: localOf(Date.parse(request.earliestAt) + half * 60_000, request.timeZone),
    flexMinutes: half,
    offerCents: request.offerCents,
    walkMetres: request.walkMetres,
  };
}

/** A published order as the form shows it. */
export const planOfOrder = (order: Order): PlanValues =>
  order.role === 'driver' ? planOfRide(order) : planOfRequest(order);

/** What all days of a series have in common; its time is that of the next day to come. */
export function planOfSeries({ id, order, rule, timeZone, days }: Series, now: number): PlanValues {
  const { weekdays, localTime, untilDay } = rule;
  const day = days.find(({ at }) => Date.parse(at) > now)?.day ?? localOf(now, timeZone).slice(0, 10);
  const common = { of: id, local: `${day}T${localTime}`, weekly: { weekdays, untilDay } };
  if (order.role === 'passenger') {
    const { role: _role, ...rest } = order;
    return { ...emptyPlan.passenger, ...rest, ...common };
  }
  const { role: _role, priceKind, costCents, maxDetourMinutes, ...rest } = order;
  return {
    ...emptyPlan.driver,
    ...rest,
    ...common,
    ...priceOf({ priceKind, costCents }),
    maxDetourMinutes: chosenDetour(maxDetourMinutes),
  };
}

/** A driver's proposal to those on board begins with the current ride. */
export const planOfProposal = (ride: Ride): PlanValues => ({
  ...emptyPlan.driver,
  of: ride.id,
  from: placeOf(ride.from),
  to: placeOf(ride.to),
  via: ride.via.map(placeOf),
  local: localOf(ride.departsAt, ride.timeZone),
  costCents: ride.costCents,
});

/** Where the changes to an order, or to a series, of one side are stored. */
export const editedStores = {
  driver: editedRideStore,
  passenger: editedRequestStore,
} as const satisfies Record<Order['role'], PlanDraft>;

/** Starts to edit an order from its current state. */
export const startEditing = (order: Order): void => editedStores[order.role].write(planOfOrder(order));
export const startProposing = (ride: Ride): void => proposalStore.write(planOfProposal(ride));

/** The stored changes of this order or series, else its current state. */
export const keptOr =
  (draft: PlanDraft, standing: () => PlanValues): (() => PlanValues) =>
  () => {
    const plan = standing();
    const kept = draft.read();
    return kept.of === plan.of ? kept : plan;
  };

/** The ride as entered, with the terms that stand, to the letter. */
export const withRideTerms = (entered: RideInput, ride: Ride): RideInput => ({
  ...entered,
  from: placeOf(ride.from),
  to: placeOf(ride.to),
  via: ride.via.map(placeOf),
  preferences: ride.preferences,
  departsAt: ride.earliestDepartsAt,
  flexMinutes: minutesBetween(ride.earliestDepartsAt, ride.latestDepartsAt),
  priceKind: ride.priceKind,
  costCents: ride.costCents,
});

export const withRequestTerms = (entered: RequestInput, request: Request): RequestInput => ({
  ...entered,
  from: placeOf(request.from),
  to: placeOf(request.to),
  preferences: request.preferences,
  earliestAt: request.earliestAt,
  latestAt: request.latestAt,
  seats: request.seats,
  offerCents: request.offerCents,
  walkMetres: request.walkMetres,
});

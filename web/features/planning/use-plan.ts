import { createContext, useContext } from 'react';
import type { Order } from '#contract/rides/views.ts';
import { now } from '../../core/clock.ts';
import { useSession } from '../../core/use-session.ts';
import type { PlanDraft } from './draft.ts';
import type { PlaceField } from '../../core/page-search.ts';
import type { RequestInput, RideInput } from './order-input.ts';
import type { PlanKind } from './plan-kinds.ts';
import type { PlanValues } from './plan-values.ts';
import type { PlanField, Problems } from './plan-fields.ts';
import { requestOf, rideOf } from './publish.ts';
import { useCanBePaid } from './use-can-be-paid.ts';
import { usePlanForm, type PlanForm } from './use-plan-form.ts';
import { usePlannedRoute, type PlannedRoute } from './use-planned-route.ts';
import { useRepeatProblems } from './use-publish-plan.ts';
import { useOwnVehicles } from './vehicle-field.tsx';

/** A form, and what follows from what is filled in. */
export interface Plan extends PlanForm {
  kind: PlanKind;
  /** The published order that is changed. */
  order: Order | null;
  route: PlannedRoute;
  /** Of the starting place. */
  zone: string;
  own: ReturnType<typeof useOwnVehicles>;
  canBePaid: boolean | null;
  /** Opens the place chooser; a stop after the last is new. */
  choose: (field: PlaceField) => void;
  /** What the server is sent. */
  input: RideInput | RequestInput;
  /** What is wrong so far. */
  found: Problems;
  /** Goes on where nothing is wrong, or shows what is. */
  submit: (send: () => void) => void;
}

const agreedTerms: readonly PlanField[] = ['local', 'costCents', 'offerCents'];

/**
 * @param of.draft where the plan is stored.
 * @param of.start the first values of the form, where that is not the draft.
 * @param of.order the order it changes.
 * @param of.timeZone of the starting place, until its route is known.
 * @param of.check what is wrong, for a plan that is no order of its own.
 */
export function usePlan(
  kind: PlanKind,
  of: {
    draft: PlanDraft;
    start?: () => PlanValues;
    order?: Order;
    timeZone?: string;
    check?: (values: PlanValues) => Problems;
    choose: (field: PlaceField) => void;
  },
): Plan {
  const { user } = useSession();
  const form = usePlanForm(of.draft, of.start);
  const { values, show } = form;
  const isDriver = kind.side === 'driver';
  const route = usePlannedRoute(values.from, values.to, { via: values.via, local: values.local });
  const own = useOwnVehicles(values.vehicleId, isDriver);
  const canBePaid = useCanBePaid(isDriver);
  const repeatProblems = useRepeatProblems();
  const zone = route.zone ?? of.timeZone ?? 'UTC';
  const context = { zone, quote: route.quote, contactWith: user.preferContactWith, now: now(), canBePaid };
  const entered = isDriver ? rideOf(values, own.chosen?.id ?? null, context) : requestOf(values, context);
  const order = of.order ?? null;
  const isAgreed = order?.edit === 'details';
  const found = of.check?.(values) ?? { ...entered.problems, ...repeatProblems(values) };
  // Terms that are agreed are no fields, so nothing is wrong with them.
  if (isAgreed) for (const field of agreedTerms) delete found[field];
  return {
    ...form,
    kind,
    order,
    route,
    zone,
    own,
    canBePaid,
    choose: of.choose,
    input: entered.order,
    found,
    submit: (send) => {
      const { refusal } = route;
      if (refusal !== null && !isAgreed) show({ [refusal.field]: refusal.words });
      else if (!show(found)) send();
    },
  };
}

export const PlanContext = createContext<Plan | null>(null);

/** The plan whose form this is part of. */
export function usePlanContext(): Plan {
  const plan = useContext(PlanContext);
  if (plan === null) throw new Error('A part of a plan is outside its form.');
  return plan;
}

import { isOfferTooLow, isPriceTooLow, lowestPriceCents } from '#contract/rides/lowest-prices.ts';
import { orderInput } from '#contract/form-inputs.ts';
import { money } from '#contract/formats/amounts.ts';
import { errorWords, fieldWords, type Refused } from '../../core/errors.ts';
import { currentLanguage, i18n } from '../../core/i18n.ts';
import {
  requestInputOf,
  rideInputOf,
  type Order,
  type PlanContext,
  type RequestInput,
  type RideInput,
  type RidePlanContext,
} from './order-input.ts';
import { planFields, type PlanField, type Problems } from './plan-fields.ts';
import type { PlanValues } from './plan-values.ts';
import { pricingOf } from './pricing.ts';

const isPlanField = (name: string): name is PlanField => planFields.some((field) => field === name);
const times = ['departsAt', 'earliestAt', 'latestAt', 'localTime', 'fromDay'];

/** Problems by the form's field from paths such as `order.departsAt`; the first of a field counts. */
function byField(entries: Iterable<readonly [string, string]>): Problems {
  const problems: Problems = {};
  for (const [path, words] of entries) {
    const field = fieldOf(path);
    if (isPlanField(field)) problems[field] ??= words;
  }
  return problems;
}

/**
 * A series names its fields under `series.order` and `rule`, a proposal under `way`; whatever else is wrong
 * with a way back shows at its time, with a proposed way at its stops.
 */
function fieldOf(path: string): string {
  const [name = '', ...rest] = path.replace(/^(series\.)?(order|rule|way)\./, '').split('.');
  if (name === 'back') return rest.at(-1) === 'seats' ? 'back.seats' : 'back.local';
  if (name === 'way') return 'via';
  if (name === 'weekdays' || name === 'untilDay') return `weekly.${name}`;
  return times.includes(name) ? 'local' : name;
}

/** The server's refusals, at the fields to blame, in the person's language. */
export function problemsOf(refused: Refused): Problems {
  // A refusal with a reason of its own has better words than the field's sentence, with its figures in them.
  const said = refused.reason === '' || refused.reason === 'input.invalid' ? null : errorWords(refused);
  return byField(
    Object.entries(refused.fields).map(([path, why]) => [path, said ?? fieldWords(why)] as const),
  );
}

/** What the contract itself refuses, before anything is sent. */
function problemsOfInput(order: Order): Problems {
  const parsed = orderInput.safeParse({ order });
  if (parsed.success) return {};
  const problems = byField(
    parsed.error.issues.map(
      (issue) => [issue.path.map(String).join('.'), fieldWords(issue.message)] as const,
    ),
  );
  if (problems.from !== undefined) problems.from = fieldWords('Please verify the starting point.');
  return problems;
}

/** The ride as the server takes it, and what is wrong with it so far. */
export function rideOf(
  draft: PlanValues,
  vehicleId: string | null,
  context: RidePlanContext,
): { order: RideInput; problems: Problems } {
  const { kind, costCents } = pricingOf(draft, context.quote, context.canBePaid);
  const order = rideInputOf(draft, vehicleId, context);
  const problems = problemsOfInput(order);
  if (order.departsAt !== '' && Date.parse(order.departsAt) <= context.now) {
    problems.local = fieldWords('Please select a departure time in the future.');
  }
  const problem = kind === 'free' ? null : priceProblem(kind, costCents, draft);
  if (problem !== null) problems.costCents = problem;
  if (kind !== 'free' && context.canBePaid === false) {
    problems.costCents = fieldWords(
      'A connected payment account must be verified to accept in-app payments; otherwise the cost must be set to zero.',
    );
  }
  if (kind !== 'free' && vehicleId === null) problems.vehicleId = fieldWords('Please add a vehicle first.');
  return { order, problems: { ...problems, ...problemsOfCircle(draft) } };
}

/** A price that is too low for each person, or for the seats of the car, outbound or return. */
function priceProblem(
  priceKind: 'perPerson' | 'perCar',
  costCents: number,
  { seats: ownSeats, back }: Pick<PlanValues, 'seats' | 'back'>,
): string | null {
  const seats = Math.max(ownSeats, back?.seats ?? 0);
  if (costCents > 0 && !isPriceTooLow({ priceKind, costCents, seats })) return null;
  if (priceKind === 'perPerson') return fieldWords('Please ask for at least $0.50, or make the ride free.');
  const amount = money(lowestPriceCents({ priceKind, seats }), currentLanguage());
  return i18n.t('reasons:order.carPriceTooLow', { amount, count: seats });
}

/** The request as the server takes it, and what is wrong with it so far. */
export function requestOf(
  draft: PlanValues,
  context: PlanContext,
): { order: RequestInput; problems: Problems } {
  const order = requestInputOf(draft, context);
  const problems = problemsOfInput(order);
  if (order.latestAt !== '' && Date.parse(order.latestAt) <= context.now) {
    problems.local = fieldWords('Please select a departure time in the future.');
  }
  if (draft.offerCents !== null && isOfferTooLow(draft.offerCents)) {
    problems.offerCents = fieldWords('Please offer more than $5 per person to the driver.');
  }
  return { order, problems: { ...problems, ...problemsOfCircle(draft) } };
}

function problemsOfCircle(draft: PlanValues): Problems {
  return draft.visibility === 'tags' && draft.tagIds.length === 0
    ? { tagIds: fieldWords('Please select at least one of your tags.') }
    : {};
}

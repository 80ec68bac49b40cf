import { maxVia, type Place } from '#contract/units.ts';
import type { PlaceField } from '../../core/page-search.ts';
import type { PlanValues } from './plan-values.ts';

const placeFields: readonly PlaceField[] = [
  'from',
  'to',
  ...Array.from({ length: maxVia }, (_, index): PlaceField => `via${index}`),
];

export const isPlaceField = (name: string | undefined): name is PlaceField =>
  placeFields.some((field) => field === name);

type Places = Pick<PlanValues, 'from' | 'via' | 'to'>;

const stopOf = (field: PlaceField): number | null =>
  field === 'from' || field === 'to' ? null : Number(field.slice('via'.length));

/** What the chooser asks for. */
export const placeKind = (field: PlaceField): 'from' | 'via' | 'to' =>
  field === 'from' || field === 'to' ? field : 'via';

/** Where to search first for a place: where it is so far, else at an end that is known. */
export function knownPlace(plan: Places, field: PlaceField): Place | null {
  const stop = stopOf(field);
  const chosen = field === 'from' || field === 'to' ? plan[field] : plan.via[stop ?? 0];
  return chosen ?? plan.from ?? plan.to;
}

/** What changes of a plan with a place that was chosen. */
export function chosenPart({ via }: Places, field: PlaceField, place: Place): Partial<Places> {
  const stop = stopOf(field);
  return stop === null ? { [field]: place } : { via: [...via.slice(0, stop), place, ...via.slice(stop + 1)] };
}

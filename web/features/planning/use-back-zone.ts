import type { Plan } from './use-plan.ts';
import { usePlannedRoute } from './use-planned-route.ts';

/** The zone of the place where the way back begins, which may be another one. */
export function useBackZone({ values: { back, from, to }, zone }: Pick<Plan, 'values' | 'zone'>): string {
  return usePlannedRoute(back && to, back && from).zone ?? zone;
}

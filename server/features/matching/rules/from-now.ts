import type { Plan } from './plan.ts';
import type { Wish } from './wish.ts';

/** The plan of a ride that has not left: its driver leaves now at the earliest. */
export const planFrom = <P extends Pick<Plan, 'earliestDepartsMs'>>(plan: P, nowMs: number): P =>
  plan.earliestDepartsMs >= nowMs ? plan : { ...plan, earliestDepartsMs: nowMs };

/**
 * The request of a passenger who has not set out: they leave their place now at the earliest, walking
 * included.
 */
export const wishFrom = (wish: Wish, nowMs: number): Wish =>
  wish.earliestMs >= nowMs ? wish : { ...wish, earliestMs: nowMs };

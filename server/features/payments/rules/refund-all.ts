import type { AuthorizationFacts } from './next-step.ts';

/** What giving a passenger everything back means: how much it is, and the authorization's goal. */
export function refundAll({ takenCents, takeCents }: Pick<AuthorizationFacts, 'takenCents' | 'takeCents'>): {
  refundCents: number;
  goal: { refundGoalCents: number } | { goal: 'release' };
} {
  if (takenCents > 0) return { refundCents: takenCents, goal: { refundGoalCents: takenCents } };
  return { refundCents: takeCents, goal: { goal: 'release' } };
}

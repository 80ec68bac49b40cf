import type { AuthorizationFacts } from './next-step.ts';

/** What giving a passenger everything back means: how much it is, and the authorization's goal. */
export function refundAll({
  capturedCents,
  captureCents,
}: Pick<AuthorizationFacts, 'capturedCents' | 'captureCents'>): {
  refundCents: number;
  goal: { refundGoalCents: number } | { goal: 'release' };
} {
  if (capturedCents > 0) return { refundCents: capturedCents, goal: { refundGoalCents: capturedCents } };
  return { refundCents: captureCents, goal: { goal: 'release' } };
}

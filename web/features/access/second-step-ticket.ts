import type { ProofWay } from '#contract/access/second-factor.ts';
import type { Refused } from '../../core/errors.ts';

/**
 * A sign-in that waits for its second step. Only this tab keeps it: after a reload, the sign-in starts again.
 */
export interface WaitingSignIn {
  ticket: string;
  ways: readonly ProofWay[];
}

let waiting: WaitingSignIn | null = null;

export const waitingSignIn = (): WaitingSignIn | null => waiting;
export const forgetWaitingSignIn = (): void => {
  waiting = null;
};

/** Keeps the ticket of a sign-in that needs a second step; false if it was refused for another reason. */
export function keepWaitingSignIn({ reason, data }: Refused): boolean {
  if (reason !== 'access.secondStep' || typeof data['ticket'] !== 'string') return false;
  const ways = Array.isArray(data['ways']) ? (data['ways'] as ProofWay[]) : [];
  waiting = { ticket: data['ticket'], ways };
  return true;
}

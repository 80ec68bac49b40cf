import type { ChargebackState } from '#contract/payments/views.ts';

/** The bank has not decided, or has not asked for a decision yet. */
const open: readonly ChargebackState[] = [
  'warning_needs_response',
  'warning_under_review',
  'needs_response',
  'under_review',
  'unknown',
];

export const isOpen = (state: ChargebackState): boolean => open.includes(state);

/** The money is, or may be, the bank's customer's: nothing is given back on top of it. */
export const isAgainstUs = (state: ChargebackState): boolean => isOpen(state) || state === 'lost';

/** The bank has the money. */
export const isGone = (chargeback: { state: ChargebackState; withdrawnCents: number }): boolean =>
  chargeback.withdrawnCents > 0 && isAgainstUs(chargeback.state);

export type ChargebackTransfer =
  | 'none'
  | 'toTakeBack'
  | 'takenBack'
  | 'toSendAgain'
  | 'sentAgain'
  | 'refused';

/**
 * The next state of the driver's part, by its state before and the state of the chargeback.
 * @param wasAsked the provider has been asked for what `before` says and has not refused: its answer may be
 *   lost.
 */
export function transferAfter(
  before: ChargebackTransfer,
  chargeback: { state: ChargebackState; withdrawnCents: number },
  wasAsked: boolean,
): ChargebackTransfer {
  if (isGone(chargeback)) {
    // A transfer that may have been repeated is repeated, and then reversed again.
    if (before === 'toSendAgain') return wasAsked ? before : 'takenBack';
    return before === 'none' || before === 'sentAgain' ? 'toTakeBack' : before;
  }
  if (isAgainstUs(chargeback.state)) return before === 'toTakeBack' && !wasAsked ? 'none' : before;
  // A transfer that may have been reversed is reversed, and then repeated.
  if (before === 'toTakeBack') return wasAsked ? before : 'none';
  return before === 'takenBack' ? 'toSendAgain' : before;
}

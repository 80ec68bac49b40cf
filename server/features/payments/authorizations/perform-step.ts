import type { Step } from '../rules/next-step.ts';
import { cancelPayment, cancelUnplaced } from './cancel.ts';
import { capturePayment } from './capture.ts';
import { confirmPayment } from './confirm.ts';
import type { AuthorizationContext } from './context.ts';
import { findPayment } from './find-payment.ts';
import { placeAuthorization } from './place-authorization.ts';
import { recordOutcome } from './record-outcome.ts';
import { readPayment } from './record-payment.ts';
import { refundPayment } from './refund.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Asks the provider for one step, and writes what came of it. Null: nothing is known, the step is repeated
 * later.
 */
export async function performStep(
  context: AuthorizationContext,
  authorization: AuthorizationRow,
  step: Exclude<Step, null>,
): Promise<AuthorizationRow | null> {
  switch (step) {
    case 'read':
      return readPayment(context, authorization);
    case 'find':
      return findPayment(context, authorization);
    case 'replace':
      return replaceCanceled(context, authorization);
    case 'refund':
      return refundPayment(context, authorization);
    case 'cancel':
      if (authorization.paymentId === null) return cancelUnplaced(context, authorization);
      return recordOutcome(context, authorization, await cancelPayment(context, authorization));
    case 'capture':
      return recordOutcome(context, authorization, await capturePayment(context, authorization));
    case 'confirm':
      return recordOutcome(context, authorization, await confirmPayment(context, authorization));
    case 'place':
      return recordOutcome(context, authorization, await placeAuthorization(context, authorization));
  }
}

/**
 * Replaces an authorization that the provider has canceled. Null where it is not wanted any more, or replaced
 * already.
 */
async function replaceCanceled(
  context: AuthorizationContext,
  { id }: AuthorizationRow,
): Promise<AuthorizationRow | null> {
  const { db, transact } = context.platform;
  const fresh = await transact(async (tx) => {
    const row = await store.lockAuthorization(tx, id);
    if (row === null || !row.isCurrent || row.goal === 'release' || row.state !== 'canceled') return null;
    return replaceAuthorization(context, tx, row, {
      amountCents: row.goal === 'take' ? Math.max(1, row.captureCents) : row.amountCents,
    });
  });
  return fresh === null ? null : store.authorizationById(db, id);
}

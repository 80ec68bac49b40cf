import type { Step } from '../rules/next-step.ts';
import { cancelPayment, cancelUnplaced } from './cancel.ts';
import { capturePayment } from './capture.ts';
import { confirmPayment } from './confirm.ts';
import { findPayment } from './find-payment.ts';
import { placeAuthorization } from './place-authorization.ts';
import { recordOutcome } from './record-outcome.ts';
import { readPayment } from './record-payment.ts';
import { refundPayment } from './refund.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';
import type { App } from '../../../app-type.ts';

/**
 * Asks the provider for one step, and writes what came of it. Null: nothing is known, the step is repeated
 * later.
 */
export async function performStep(
  app: App,
  authorization: AuthorizationRow,
  step: Exclude<Step, null>,
): Promise<AuthorizationRow | null> {
  switch (step) {
    case 'read':
      return readPayment(app, authorization);
    case 'find':
      return findPayment(app, authorization);
    case 'replace':
      return replaceCanceled(app, authorization);
    case 'refund':
      return refundPayment(app, authorization);
    case 'cancel':
      if (authorization.paymentId === null) return cancelUnplaced(app, authorization);
      return recordOutcome(app, authorization, await cancelPayment(app, authorization));
    case 'capture':
      return recordOutcome(app, authorization, await capturePayment(app, authorization));
    case 'confirm':
      return recordOutcome(app, authorization, await confirmPayment(app, authorization));
    case 'place':
      return recordOutcome(app, authorization, await placeAuthorization(app, authorization));
  }
}

/**
 * Replaces an authorization that the provider has canceled. Null where it is not wanted any more, or replaced
 * already.
 */
async function replaceCanceled(app: App, { id }: AuthorizationRow): Promise<AuthorizationRow | null> {
  const { db, transact } = app;
  const fresh = await transact(async (tx) => {
    const row = await store.lockAuthorization(tx, id);
    if (row === null || !row.isCurrent || row.goal === 'release' || row.state !== 'canceled') return null;
    return replaceAuthorization(app, tx, row, {
      amountCents: row.goal === 'take' ? Math.max(1, row.captureCents) : row.amountCents,
    });
  });
  return fresh === null ? null : store.authorizationById(db, id);
}

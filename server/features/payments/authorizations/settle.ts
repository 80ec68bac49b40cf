import { randomUUID } from 'node:crypto';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import type { PaymentKind } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { writeLedger } from '../books/store.ts';
import { waivedLines } from '../rules/ledger.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import type { AuthorizationRow } from './store.ts';
import * as store from './store.ts';

/**
 * It is known what a booking costs: capture so much from `captureAt` on, and cancel the rest. Nothing where
 * nothing is paid.
 */
export async function settleAuthorization(
  app: App,
  tx: Db,
  bookingId: string,
  { captureCents, kind, captureAt }: { captureCents: number; kind: PaymentKind; captureAt: Date },
): Promise<void> {
  const authorization = await store.currentAuthorization(tx, bookingId, true);
  if (authorization === null || authorization.goal !== 'authorize') return;
  const now = app.clock.now();
  const cents = Math.min(captureCents, authorization.amountCents);
  const wanted = await captureOrWaive(tx, authorization, { cents, captureAt }, now);
  const set = wanted.goal === 'capture' ? { ...wanted, kind } : wanted;
  await store.updateGoal(tx, authorization.id, { ...set, settledAt: now, attempts: 0, trouble: null }, now);
}

/**
 * A booking goes on after all: undoes its final fare, and authorizes again what has been canceled. False
 * where it cannot be undone, or there is nothing to undo.
 */
export async function resumeAuthorization(
  app: App,
  tx: Db,
  bookingId: string,
  amountCents: number,
): Promise<boolean> {
  const authorization = await store.currentAuthorization(tx, bookingId, true);
  if (authorization === null || authorization.goal === 'authorize' || authorization.capturedCents > 0)
    return false;
  const now = app.clock.now();
  const undone = {
    goal: 'authorize',
    kind: 'fare',
    captureCents: 0,
    captureAt: null,
    settledAt: null,
    refundGoalCents: 0,
  } as const;
  if (authorization.goal === 'capture')
    await store.updateGoal(tx, authorization.id, { ...undone, nextAt: now, attempts: 0 }, now);
  else if (amountCents > 0) await replaceAuthorization(app, tx, authorization, { ...undone, amountCents });
  return true;
}

/**
 * The goal of an authorization of which so much is owed: it is captured from `captureAt` on, and the rest
 * canceled. Nothing is captured where nothing is owed, nor where it is less than card providers charge: that
 * is waived, and written to the ledger.
 */
export async function captureOrWaive(
  tx: Db,
  { id: authorizationId, provider }: Pick<AuthorizationRow, 'id' | 'provider'>,
  owed: { cents: number; captureAt: Date },
  now: Date,
): Promise<Partial<AuthorizationRow>> {
  const { cents, captureAt } = owed;
  if (cents >= minimumPriceCents)
    return { goal: 'capture', captureCents: cents, captureAt, nextAt: captureAt > now ? captureAt : now };
  if (cents > 0)
    await writeLedger(tx, provider, waivedLines(cents, { authorizationId, at: now, newId: randomUUID }));
  return { goal: 'cancel', nextAt: now };
}

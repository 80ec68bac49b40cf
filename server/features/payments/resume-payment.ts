import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { resumeAuthorization } from './authorizations/settle.ts';
import { closeMootClaim } from './claims/close-moot-claim.ts';

/** A booking goes on after all: what was settled is undone, and a claim about it is closed. */
export async function resumePayment(app: App, tx: Db, bookingId: string, amountCents: number): Promise<void> {
  if (await resumeAuthorization(app, tx, bookingId, amountCents)) await closeMootClaim(app, tx, bookingId);
}

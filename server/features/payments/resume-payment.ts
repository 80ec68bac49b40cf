import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { resumeAuthorization } from './authorizations/settle.ts';
import { closeMootClaim } from './claims/close-moot-claim.ts';

/** A booking goes on after all: undoes its final fare, and closes a claim about it. */
export async function resumePayment(app: App, tx: Db, bookingId: string, amountCents: number): Promise<void> {
  if (await resumeAuthorization(app, tx, bookingId, amountCents)) await closeMootClaim(app, tx, bookingId);
}

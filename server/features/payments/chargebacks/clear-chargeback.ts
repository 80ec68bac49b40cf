import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notFound } from '../../../platform/refusal.ts';
import { alarmIsOver } from '../alarms/raise-alarm.ts';
import * as store from './store.ts';

export const chargebackNotFound = () => notFound('chargeback.notFound', 'We couldn’t find this chargeback.');

/** Tries a refused transfer again. */
export const retryTransfer = ({ clock }: App, tx: Db, id: string) =>
  store.saveChargeback(tx, id, { nextAt: clock.now(), attempts: 0, trouble: null });

/**
 * Lets the passenger behind a chargeback or a warning pay by card again, in the caller's transaction. Refuses
 * `chargeback.notFound`, also where an admin has done so already.
 */
export async function clearById(
  app: App,
  tx: Db,
  adminId: string,
  id: string,
): Promise<{ authorizationId: string | null }> {
  const cleared = await store.clearChargebackOrWarning(tx, id, {
    clearedAt: app.clock.now(),
    clearedById: adminId,
  });
  if (cleared === null) throw chargebackNotFound();
  await alarmIsOver(app, tx, { kind: cleared.kind, about: id });
  return cleared;
}

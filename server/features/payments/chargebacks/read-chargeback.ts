import type { App } from '../../../app-type.ts';
import { raiseAlarm, alarmIsOver } from '../alarms/raise-alarm.ts';
import { authorizationByPayment } from '../authorizations/store.ts';
import type { ProviderFraudWarning } from '../provider/chargeback-calls.ts';
import { recordChargeback } from './record-chargeback.ts';
import * as store from './store.ts';
import type { WarningRow } from './store.ts';

/** Maximum reads of a chargeback or a warning while other reads of it overtake. */
const mostReads = 5;

/**
 * Reads a chargeback that an event is about; a read that another has overtaken is made again.
 * @throws Error where the provider does not answer.
 */
export async function readChargeback(app: App, id: string): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const seen = await store.chargebackById(app.db, id);
    const read = await app.payments.provider.chargeback(id);
    if (read.outcome !== 'done') throw new Error(`the dispute ${id} is ${read.outcome}`);
    if (await recordChargeback(app, seen, read.value)) return;
  }
  throw new Error(`other reads of the dispute ${id} overtook each of ${mostReads}`);
}

/**
 * Reads a fraud warning that an event is about; a read that another has overtaken is made again.
 * @throws Error where the provider does not answer.
 */
export async function readWarning(app: App, id: string): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const seen = await store.warningById(app.db, id);
    const read = await app.payments.provider.fraudWarning(id);
    if (read.outcome !== 'done') throw new Error(`the warning ${id} is ${read.outcome}`);
    if (await recordWarning(app, seen, read.value)) return;
  }
  throw new Error(`other reads of the warning ${id} overtook each of ${mostReads}`);
}

/** Writes the provider's state of a fraud warning; false where another read has been stored since `seen`. */
async function recordWarning(
  app: App,
  seen: WarningRow | null,
  { fraudType, paymentId, ...warning }: ProviderFraudWarning,
): Promise<boolean> {
  const authorization = paymentId === null ? null : await authorizationByPayment(app.db, paymentId);
  return app.transact('record warning', async (tx) => {
    const authorizationId = authorization?.id ?? seen?.authorizationId ?? null;
    const own = { ...warning, fraudType, paymentId, provider: app.payments.provider.kind, authorizationId };
    if (!(await store.saveWarning(tx, own, seen))) return false;
    const alarm = { kind: 'fraudWarning', about: warning.id } as const;
    const detail = [authorization?.orderNumber, fraudType].filter(Boolean).join(' · ');
    if (seen === null && warning.isActionable) await raiseAlarm(app, tx, { ...alarm, detail });
    if (!warning.isActionable) await alarmIsOver(app, tx, alarm);
    return true;
  });
}

/**
 * By the clock: reads again what was first seen while its payment was not known here, once the payment is, so
 * that its passenger and its transfer are known.
 */
export async function readWithoutPayment(app: App): Promise<void> {
  const { chargebackIds, warningIds } = await store.withPaymentKnownSince(app.db, app.payments.provider.kind);
  const reads = [
    ...chargebackIds.map((id) => ({ id, read: readChargeback })),
    ...warningIds.map((id) => ({ id, read: readWarning })),
  ];
  for (const { id, read } of reads)
    await read(app, id).catch((error: unknown) =>
      app.log.error({ err: error, about: id }, 'what a bank says of a payment could not be read again'),
    );
}

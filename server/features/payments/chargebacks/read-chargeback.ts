import { authorizationByPayment } from '../authorizations/store.ts';
import type { ProviderFraudWarning } from '../provider/chargeback-calls.ts';
import type { ChargebackContext } from './context.ts';
import { recordChargeback } from './record-chargeback.ts';
import * as store from './store.ts';
import type { WarningRow } from './store.ts';

/** So often a chargeback or a warning is read while other reads of it overtake. */
const mostReads = 5;

/**
 * Reads a chargeback that an event is about; a read that another has overtaken is made again.
 * @throws Error where the provider does not answer.
 */
export async function readChargeback(context: ChargebackContext, id: string): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const seen = await store.chargebackById(context.platform.db, id);
    const read = await context.provider.chargeback(id);
    if (read.outcome !== 'done') throw new Error(`the dispute ${id} is ${read.outcome}`);
    if (await recordChargeback(context, seen, read.value)) return;
  }
  throw new Error(`other reads of the dispute ${id} overtook each of ${mostReads}`);
}

/**
 * Reads a fraud warning that an event is about; a read that another has overtaken is made again.
 * @throws Error where the provider does not answer.
 */
export async function readWarning(context: ChargebackContext, id: string): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const seen = await store.warningById(context.platform.db, id);
    const read = await context.provider.fraudWarning(id);
    if (read.outcome !== 'done') throw new Error(`the warning ${id} is ${read.outcome}`);
    if (await recordWarning(context, seen, read.value)) return;
  }
  throw new Error(`other reads of the warning ${id} overtook each of ${mostReads}`);
}

/**
 * Writes what the provider says of a fraud warning; false where another read has been kept since `seen`.
 */
async function recordWarning(
  { platform, provider, alarms }: ChargebackContext,
  seen: WarningRow | null,
  { fraudType, paymentId, ...warning }: ProviderFraudWarning,
): Promise<boolean> {
  const authorization = paymentId === null ? null : await authorizationByPayment(platform.db, paymentId);
  return platform.transact(async (tx) => {
    const authorizationId = authorization?.id ?? seen?.authorizationId ?? null;
    const own = { ...warning, fraudType, paymentId, provider: provider.kind, authorizationId };
    if (!(await store.saveWarning(tx, own, seen))) return false;
    const alarm = { kind: 'fraudWarning', about: warning.id } as const;
    const detail = [authorization?.orderNumber, fraudType].filter(Boolean).join(' · ');
    if (seen === null && warning.isActionable) await alarms.raise(tx, { ...alarm, detail });
    if (!warning.isActionable) await alarms.isOver(tx, alarm);
    return true;
  });
}

/**
 * By the clock: reads again what was first seen while its payment was not known here, once the payment is, so
 * that its passenger and its transfer are known.
 */
export async function readWithoutPayment(context: ChargebackContext): Promise<void> {
  const { platform, provider } = context;
  const { chargebackIds, warningIds } = await store.withPaymentKnownSince(platform.db, provider.kind);
  const reads = [
    ...chargebackIds.map((id) => ({ id, read: readChargeback })),
    ...warningIds.map((id) => ({ id, read: readWarning })),
  ];
  for (const { id, read } of reads)
    await read(context, id).catch((error: unknown) =>
      platform.log.error({ err: error, about: id }, 'what a bank says of a payment could not be read again'),
    );
}

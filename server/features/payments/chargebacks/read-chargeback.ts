import { authorizationByPayment } from '../authorizations/store.ts';
import type { ChargebackContext } from './context.ts';
import { recordChargeback } from './record-chargeback.ts';
import * as store from './store.ts';

/** Reads a chargeback that an event is about. @throws Error where the provider does not answer. */
export async function readChargeback(context: ChargebackContext, id: string): Promise<void> {
  const read = await context.provider.chargeback(id);
  if (read.outcome !== 'done') throw new Error(`the dispute ${id} is ${read.outcome}`);
  await recordChargeback(context, read.value);
}

/** Reads a fraud warning that an event is about. @throws Error where the provider does not answer. */
export async function readWarning(
  { platform, provider, alarms }: ChargebackContext,
  warningId: string,
): Promise<void> {
  const read = await provider.fraudWarning(warningId);
  if (read.outcome !== 'done') throw new Error(`the warning ${warningId} is ${read.outcome}`);
  const { fraudType, paymentId, ...warning } = read.value;
  const authorization = paymentId === null ? null : await authorizationByPayment(platform.db, paymentId);
  await platform.transact(async (tx) => {
    const holdId = authorization?.id ?? null;
    const own = { ...warning, fraudType, paymentId, provider: provider.kind, holdId };
    const { isNew } = await store.saveWarning(tx, own);
    const alarm = { kind: 'fraudWarning', about: warning.id } as const;
    const detail = [authorization?.orderNumber, fraudType].filter(Boolean).join(' · ');
    if (isNew && warning.isActionable) await alarms.raise(tx, { ...alarm, detail });
    if (!warning.isActionable) await alarms.isOver(tx, alarm);
  });
}

import { movedOn } from '../../../platform/refusal.ts';
import { unavailable } from '../provider/refusals.ts';
import { chargebackNotFound, type ChargebackContext } from './context.ts';
import { recordChargeback } from './record-chargeback.ts';
import { chargebackById } from './store.ts';

/**
 * Sends in what speaks for a payment, once. Refuses `chargeback.notFound`, `chargeback.closed` and
 * `payment.unavailable`.
 */
export async function answerChargeback(context: ChargebackContext, id: string, text: string): Promise<void> {
  const { platform, provider } = context;
  const row = await chargebackById(platform.db, id);
  if (row === null) throw chargebackNotFound();
  const closed = () => movedOn('chargeback.closed', 'The bank no longer takes evidence for this payment.');
  if (!['needs_response', 'warning_needs_response'].includes(row.state)) throw closed();
  const sent = await provider.answerChargeback({ chargebackId: id, text }, `${id}:answer`);
  if (sent.outcome === 'refused') throw closed();
  if (sent.outcome !== 'done') throw unavailable();
  // Where another read was kept meanwhile, the provider's event about the answer has it read again.
  await recordChargeback(context, row, sent.value);
}

import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { unavailable } from '../provider/refusals.ts';
import { chargebackNotFound } from './clear-chargeback.ts';
import { recordChargeback } from './record-chargeback.ts';
import { chargebackById } from './store.ts';

/**
 * Sends in what speaks for a payment, once. Refuses `chargeback.notFound`, `chargeback.closed` and
 * `payment.unavailable`.
 */
export async function sendEvidence(app: App, id: string, text: string): Promise<void> {
  const row = await chargebackById(app.db, id);
  if (row === null) throw chargebackNotFound();
  const closed = () => movedOn('chargeback.closed', 'The bank no longer takes evidence for this payment.');
  if (!['needs_response', 'warning_needs_response'].includes(row.state)) throw closed();
  const sent = await app.payments.provider.answerChargeback({ chargebackId: id, text }, `${id}:answer`);
  if (sent.outcome === 'refused') throw closed();
  if (sent.outcome !== 'done') throw unavailable();
  // Where another read was stored meanwhile, the provider's event about the answer causes a further read.
  await recordChargeback(app, row, sent.value);
}

import type { Dispute } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { viewClaim } from '../view.ts';
import { claimMoved, claimNotFound, emitClaim } from './claim-moved.ts';
import * as store from './store.ts';

/** The driver tells their side, once. Refuses `dispute.notFound` and `dispute.moved`. */
export async function answerClaim(
  app: App,
  driverId: string,
  claimId: string,
  text: string,
): Promise<Dispute> {
  const { db, transact, clock } = app;
  const seen = await store.claimById(db, claimId);
  if (seen === null || seen.driverId !== driverId) throw claimNotFound();
  return transact('answer claim', async (tx) => {
    const row = await store.moveClaim(tx, claimId, ['open'], {
      state: 'answered',
      answer: text,
      answeredAt: clock.now(),
    });
    if (row === null) throw claimMoved();
    await emitClaim(app, tx, row);
    return viewClaim(row);
  });
}

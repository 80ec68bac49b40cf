import type { Db } from '../../../platform/database/db.ts';
import { bindCommand } from '../bind-command.ts';
import { answerChargeback } from './answer-chargeback.ts';
import { chargebackNotFound, type ChargebackContext } from './context.ts';
import { moveDueTransfers } from './move-transfer.ts';
import { readChargeback, readWarning, readWithoutPayment } from './read-chargeback.ts';
import * as store from './store.ts';

export type Chargebacks = ReturnType<typeof createChargebacks>;

/**
 * What banks take back after a payment, and what they warn of: read when an event is about it, shown to the
 * admins. While the money is the bank's, nothing is refunded on top, the driver's part is reversed, and the
 * passenger pays no new ride by card (decision 0031).
 */
export function createChargebacks(context: ChargebackContext) {
  const { db, clock } = context.platform;
  return {
    read: bindCommand(context, readChargeback),
    readWarning: bindCommand(context, readWarning),
    readWithoutPayment: bindCommand(context, readWithoutPayment),
    answer: bindCommand(context, answerChargeback),
    work: bindCommand(context, moveDueTransfers),
    isDue: store.isAnyChargebackDue,

    /** Tries a refused transfer again. */
    again: (tx: Db, id: string) =>
      store.saveChargeback(tx, id, { nextAt: clock.now(), attempts: 0, trouble: null }),

    /**
     * Lets a passenger pay by card again. Refuses `chargeback.notFound`, also where an admin has done so
     * already.
     */
    async clear(tx: Db, adminId: string, id: string): Promise<{ authorizationId: string | null }> {
      const cleared = await store.clear(tx, id, { clearedAt: clock.now(), clearedById: adminId });
      if (cleared === null) throw chargebackNotFound();
      await context.alarms.isOver(tx, { kind: cleared.kind, about: id });
      return cleared;
    },

    list: (page: { offset: number; size: number }) => store.list(db, page),
    openWarnings: () => store.openWarnings(db),
  };
}

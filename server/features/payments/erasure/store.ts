import { eq } from 'drizzle-orm';
import type { Erasure } from '../../../platform/erasure.ts';
import {
  authorizations,
  cards,
  chargebacks,
  claims,
  fraudWarnings,
  payers,
  paymentAccounts,
  paymentAlarms,
} from '../../../schema/payments.ts';

/**
 * The provider forgets the person first (`forgetCustomer`); what was paid stays as long as the law wants it,
 * with no person in it.
 */
export const erasure = {
  payers: (tx, personId) => tx.delete(payers).where(eq(payers.userId, personId)),
  cards: (tx, personId) => tx.delete(cards).where(eq(cards.userId, personId)),
  payment_accounts: (tx, personId) => tx.delete(paymentAccounts).where(eq(paymentAccounts.userId, personId)),
  authorizations: (tx, personId) =>
    tx
      .update(authorizations)
      .set({ fromName: '—', toName: '—', cardLabel: '', actionUrl: null })
      .where(eq(authorizations.passengerId, personId)),
  claims: async (tx, personId) => {
    await tx.update(claims).set({ text: '' }).where(eq(claims.passengerId, personId));
    await tx.update(claims).set({ answer: '' }).where(eq(claims.driverId, personId));
    await tx.update(claims).set({ resolvedById: null }).where(eq(claims.resolvedById, personId));
  },
  chargebacks: (tx, personId) =>
    tx.update(chargebacks).set({ clearedById: null }).where(eq(chargebacks.clearedById, personId)),
  fraud_warnings: (tx, personId) =>
    tx.update(fraudWarnings).set({ clearedById: null }).where(eq(fraudWarnings.clearedById, personId)),
  payment_alarms: (tx, personId) =>
    tx.update(paymentAlarms).set({ endedById: null }).where(eq(paymentAlarms.endedById, personId)),
} satisfies Erasure;

import type { Platform } from '../../../platform/platform.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import { unavailable, type Cards } from '../cards/service.ts';
import { labelOf, type Authorizations } from './service.ts';
import { needOf } from '../rules/next-step.ts';
import * as store from '../store.ts';
import type { HoldRow } from '../store.ts';

/** The passenger is there and pays: adds a card, confirms with the bank, or takes another card. */
export function createPaying(
  { db, transact, clock, limit }: Platform,
  { holds, cards }: { holds: Authorizations; cards: Cards },
) {
  async function ownHold(passengerId: string, bookingId: string): Promise<HoldRow> {
    const hold = await store.currentHold(db, bookingId);
    if (hold === null || hold.passengerId !== passengerId)
      throw notFound('booking.notFound', 'This could not be found.');
    return hold;
  }

  /** Chooses the card for the next try, and says that its holder is there to confirm. */
  async function tryWith(hold: HoldRow, cardId: string): Promise<void> {
    const card = await cards.own(hold.passengerId, cardId);
    await transact(async (tx) => {
      const row = await store.lockHold(tx, hold.id);
      if (row === null || !row.isCurrent || needOf(row) === null) return;
      const now = clock.now();
      const chosen = { cardId: card.id, cardLabel: labelOf(card) };
      if (row.paymentId === null && row.isAsked) {
        // It was refused as a whole: another one is asked for.
        await holds.replace(tx, row, { ...chosen, state: 'requires_confirmation', isPresent: true });
        return;
      }
      const isFirst = row.paymentId === null;
      await store.want(
        tx,
        row.id,
        {
          ...chosen,
          state: 'requires_confirmation',
          isPresent: true,
          tries: isFirst ? row.tries : row.tries + 1,
          nextAt: isFirst ? holds.placedAt(row.rideAt) : now,
          attempts: 0,
          trouble: null,
        },
        now,
      );
    });
    await holds.workOn(hold.bookingId);
  }

  return {
    /**
     * Reads how a booking's payment stands, and where it needs its passenger tries it with a card, by default the chosen
     * one. Refuses `payment.failed` when the bank says no.
     */
    async authorize(
      passengerId: string,
      { bookingId, methodId }: { bookingId: string; methodId?: string | undefined },
    ): Promise<void> {
      await limit(`pay:${passengerId}`, 60, 3600);
      let hold = await ownHold(passengerId, bookingId);
      if (hold.goal === 'release') throw movedOn('payment.notDue', 'There is nothing to pay any more.');
      if (hold.paymentId !== null) hold = (await holds.look(hold)) ?? hold;
      const saved = await cards.sync(passengerId);
      const need = needOf(hold);
      if (need === null) return;
      // The bank's page is still open: it goes on there, unless another card is meant.
      if (hold.state === 'requires_action' && methodId === undefined) return;
      const cardId =
        methodId ??
        (need === 'confirmation' ? hold.cardId : null) ??
        (await cards.toPayWith(db, passengerId, hold.rideAt))?.id ??
        null;
      if (cardId === null || !saved.some(({ id }) => id === cardId)) {
        if (methodId !== undefined) throw notFound('payment.methodNotFound', 'This card could not be found.');
        throw new Refusal('payment.methodMissing', 'Please add a card first.', { code: 409 });
      }
      await tryWith(hold, cardId);
      const after = await ownHold(passengerId, bookingId);
      if (after.state === 'requires_confirmation' && !holds.isSecured(after)) throw unavailable();
      if (needOf(after) === 'driverAccount')
        throw new Refusal(
          'payment.driverAccount',
          'The driver’s account cannot take payments at the moment.',
          { code: 409 },
        );
      if (after.state === 'requires_payment_method')
        throw new Refusal('payment.failed', 'Payment failed, please try again.', {
          code: 409,
          data: { declineCode: after.declineCode },
        });
      // Whoever mends a payment with another card pays with that one from now on.
      if (
        after.state === 'requires_capture' &&
        !saved.some(({ id, isDefault }) => id === cardId && isDefault)
      )
        await cards.choose(passengerId, cardId);
    },
  };
}

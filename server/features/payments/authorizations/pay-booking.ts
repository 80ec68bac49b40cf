import type { App } from '../../../app-type.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import { chooseCard, ownCard, syncCards, cardToPayWith } from '../cards/manage-cards.ts';
import type { CardRow } from '../cards/store.ts';
import { unavailable } from '../provider/outcomes.ts';
import { isSecured, needOf } from '../rules/next-step.ts';
import { labelOf, placedAt, replaceAuthorization } from './plan-authorization.ts';
import { readPayment } from './record-payment.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';
import { workOnBooking } from './worker.ts';

/**
 * The passenger is present and pays: reads the state of a booking's payment, and where it needs its passenger
 * tries it with a card, by default the chosen one. Refuses `payment.failed` when the bank says no.
 */
export async function payBooking(
  app: App,
  passengerId: string,
  { bookingId, methodId }: { bookingId: string; methodId?: string | undefined },
): Promise<void> {
  let authorization = await ownAuthorization(app, passengerId, bookingId);
  if (authorization.goal === 'cancel') throw movedOn('payment.notDue', 'You have nothing to pay right now.');
  if (authorization.paymentId !== null)
    authorization = (await readPayment(app, authorization)) ?? authorization;
  const saved = await syncCards(app, passengerId);
  if (needOf(authorization) === null) return;
  // The bank's page is still open: the passenger goes on there, unless another card is meant.
  if (authorization.state === 'requires_action' && methodId === undefined) return;
  const cardId = await cardFor(app, authorization, { methodId, saved });
  await tryWith(app, authorization, cardId);
  const after = await ownAuthorization(app, passengerId, bookingId);
  refuseFailed(after, isSecured(after, app.clock.now()));
  // A passenger who repairs a payment with another card pays with that one from now on.
  const isChosen = saved.some(({ id, isDefault }) => id === cardId && isDefault);
  if (after.state === 'requires_capture' && !isChosen) await chooseCard(app, passengerId, cardId);
}

async function ownAuthorization(app: App, passengerId: string, bookingId: string): Promise<AuthorizationRow> {
  const authorization = await store.currentAuthorization(app.db, bookingId);
  if (authorization === null || authorization.passengerId !== passengerId)
    throw notFound('booking.notFound', 'We couldn’t find this.');
  return authorization;
}

/** The card for the next try: the one that is meant, that awaits confirmation, or that pays by default. */
async function cardFor(
  app: App,
  authorization: AuthorizationRow,
  { methodId, saved }: { methodId: string | undefined; saved: readonly CardRow[] },
): Promise<string> {
  const cardId =
    methodId ??
    (needOf(authorization) === 'confirmation' ? authorization.cardId : null) ??
    (await cardToPayWith(app, app.db, authorization.passengerId, authorization.rideAt))?.id ??
    null;
  if (cardId !== null && saved.some(({ id }) => id === cardId)) return cardId;
  if (methodId !== undefined) throw notFound('payment.methodNotFound', 'We couldn’t find this card.');
  throw new Refusal('payment.methodMissing', 'Please add a card first.', { code: 409 });
}

/** Chooses the card for the next try, notes that its holder is present to confirm, and has it worked on. */
async function tryWith(app: App, authorization: AuthorizationRow, cardId: string): Promise<void> {
  const card = await ownCard(app, authorization.passengerId, cardId);
  await app.transact('authorize with card', async (tx) => {
    const row = await store.lockAuthorization(tx, authorization.id);
    if (row === null || !row.isCurrent || needOf(row) === null) return;
    const now = app.clock.now();
    const chosen = {
      cardId: card.id,
      cardLabel: labelOf(card),
      state: 'requires_confirmation',
      isPresent: true,
    } as const;
    if (row.paymentId === null && row.isAsked) {
      // It was refused before there was a payment: another one is placed.
      await replaceAuthorization(app, tx, row, chosen);
      return;
    }
    const isFirst = row.paymentId === null;
    const set = {
      ...chosen,
      tries: isFirst ? row.tries : row.tries + 1,
      nextAt: isFirst ? placedAt(app, row.rideAt) : now,
      attempts: 0,
      trouble: null,
    };
    await store.updateGoal(tx, row.id, set, now);
  });
  await workOnBooking(app, authorization.bookingId);
}

/** Refuses with what became of a try that did not succeed. */
function refuseFailed(after: AuthorizationRow, secured: boolean): void {
  if (after.state === 'requires_confirmation' && !secured) throw unavailable();
  if (needOf(after) === 'driverAccount')
    throw new Refusal('payment.driverAccount', 'The driver’s account can’t take payments right now.', {
      code: 409,
    });
  if (after.state === 'requires_payment_method')
    throw new Refusal('payment.failed', 'Payment failed, please try again.', {
      code: 409,
      data: { declineCode: after.declineCode },
    });
}

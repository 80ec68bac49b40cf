import type { App } from '../../../app-type.ts';
import { accountOf } from '../accounts/store.ts';
import { payerOf } from '../cards/store.ts';
import { knownCards } from '../cards/sync-cards.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { labelOf } from './card-plan.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** Where the passenger comes back to after confirming with the bank. */
export const returnUrlOf = (app: App, { requestId }: AuthorizationRow): string =>
  `${app.env.publicUrl}/pages/order/detail?id=${requestId}&payment=back`;

/**
 * Notes that the provider is about to be asked, and for what: the same is asked again if its answer is lost.
 */
export async function noteRequest(app: App, authorization: AuthorizationRow): Promise<AuthorizationRow> {
  const { id, isAsked, passengerId, cardId } = authorization;
  if (isAsked) return authorization;
  const card = (await knownCards(app, app.db, passengerId)).find((each) => each.id === cardId);
  const { transact, clock } = app;
  return transact('start authorization', async (tx) => {
    const row = (await store.lockAuthorization(tx, id))!;
    if (row.isAsked || row.goal === 'cancel') return row;
    const set = {
      isAsked: true,
      askedAt: clock.now(),
      amountCents: row.goal === 'capture' ? Math.max(1, row.captureCents) : row.amountCents,
      ...(card === undefined ? {} : { cardLabel: labelOf(card) }),
    };
    return store.updateFacts(tx, id, set, clock.now());
  });
}

/** Asks the provider to authorize what a booking costs on its passenger's card. */
export async function placeAuthorization(
  app: App,
  authorization: AuthorizationRow,
): Promise<Outcome<Payment>> {
  const { id, bookingId, orderNumber, passengerId, driverId, amountCents, isPresent } = authorization;
  const [customerId, account] = await Promise.all([
    payerOf(app.db, passengerId, app.payments.provider.kind),
    accountOf(app.db, driverId, app.payments.provider.kind),
  ]);
  if (customerId === null || account === null)
    return { outcome: 'refused', code: 'account_missing', message: 'The driver can’t be paid.' };
  return app.payments.provider.authorize(
    {
      customerId,
      cardId: authorization.cardId!,
      amountCents,
      accountId: account.accountId,
      isPresent,
      returnUrl: returnUrlOf(app, authorization),
      description: `Sameway ${orderNumber}`,
      metadata: { booking: bookingId, hold: id },
    },
    keyFor(authorization, 'authorize'),
  );
}

/** The idempotency key of one request to the provider: the same until the provider refuses. */
export const keyFor = ({ id, keysUsed }: AuthorizationRow, request: string): string =>
  keysUsed === 0 ? `${id}:${request}` : `${id}:${request}:${keysUsed}`;

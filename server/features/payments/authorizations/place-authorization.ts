import { payerOf } from '../cards/store.ts';
import { accountOf } from '../accounts/store.ts';
import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { labelOf } from './card-plan.ts';
import type { AuthorizationContext } from './context.ts';
import { keyFor } from './idempotency-key.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** Where the passenger comes back to after confirming with the bank. */
export const returnUrlOf = ({ platform }: AuthorizationContext, { requestId }: AuthorizationRow): string =>
  `${platform.env.publicUrl}/pages/order/detail?id=${requestId}&payment=back`;

/**
 * Notes that the provider is about to be asked, and for what: the same is asked again if its answer is lost.
 */
export async function noteRequest(
  { platform: { db, transact, clock }, cards }: AuthorizationContext,
  authorization: AuthorizationRow,
): Promise<AuthorizationRow> {
  const { id, isAsked, passengerId, cardId } = authorization;
  if (isAsked) return authorization;
  const card = (await cards.known(db, passengerId)).find((each) => each.id === cardId);
  return transact(async (tx) => {
    const row = (await store.lockAuthorization(tx, id))!;
    if (row.isAsked || row.goal === 'release') return row;
    const set = {
      isAsked: true,
      askedAt: clock.now(),
      amountCents: row.goal === 'take' ? Math.max(1, row.captureCents) : row.amountCents,
      ...(card === undefined ? {} : { cardLabel: labelOf(card) }),
    };
    return store.updateFacts(tx, id, set, clock.now());
  });
}

/** Asks the provider to authorize what a booking costs on its passenger's card. */
export async function placeAuthorization(
  context: AuthorizationContext,
  authorization: AuthorizationRow,
): Promise<Outcome<Payment>> {
  const { platform, provider } = context;
  const { id, bookingId, orderNumber, passengerId, driverId, amountCents, isPresent } = authorization;
  const [customerId, account] = await Promise.all([
    payerOf(platform.db, passengerId, provider.kind),
    accountOf(platform.db, driverId, provider.kind),
  ]);
  if (customerId === null || account === null)
    return { outcome: 'refused', code: 'account_missing', message: 'The driver can’t be paid.' };
  return provider.authorize(
    {
      customerId,
      cardId: authorization.cardId!,
      amountCents,
      accountId: account.accountId,
      isPresent,
      returnUrl: returnUrlOf(context, authorization),
      description: `Sameway ${orderNumber}`,
      metadata: { booking: bookingId, hold: id },
    },
    keyFor(authorization, 'hold'),
  );
}

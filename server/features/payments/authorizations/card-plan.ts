import type { AuthorizationContext } from './context.ts';
import { placedAt } from './context.ts';
import type { CardRow } from '../cards/store.ts';
import type { NewAuthorization } from './store.ts';

/** How a card is shown beside a payment. */
export const labelOf = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brand} •••• ${last4}`;

/**
 * What a new authorization begins with: the card it is planned on and when it is due, or that a card is
 * missing.
 */
export const plannedOn = (
  context: AuthorizationContext,
  card: CardRow | null,
  rideAt: Date,
): Pick<NewAuthorization, 'state' | 'cardId' | 'cardLabel' | 'nextAt'> => ({
  state: card === null ? 'requires_payment_method' : 'requires_confirmation',
  cardId: card?.id ?? null,
  cardLabel: card === null ? '' : labelOf(card),
  nextAt: card === null ? null : placedAt(context, rideAt),
});

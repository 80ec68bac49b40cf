import type { App } from '../../../app-type.ts';
import type { CardRow } from '../cards/store.ts';
import { authorizationDueAt } from '../rules/next-step.ts';
import type { NewAuthorization } from './store.ts';

/** The label of a card in the view of a payment. */
export const labelOf = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brand} •••• ${last4}`;

/**
 * The first state of an authorization: the card it is planned on and when it is due, or that a card is
 * missing.
 */
export const plannedOn = (
  app: App,
  card: CardRow | null,
  rideAt: Date,
): Pick<NewAuthorization, 'state' | 'cardId' | 'cardLabel' | 'nextAt'> => ({
  state: card === null ? 'requires_payment_method' : 'requires_confirmation',
  cardId: card?.id ?? null,
  cardLabel: card === null ? '' : labelOf(card),
  nextAt: card === null ? null : placedAt(app, rideAt),
});

/** When an authorization for a ride at `rideAt` is placed. */
export const placedAt = (app: App, rideAt: Date): Date =>
  authorizationDueAt(rideAt, app.env.HOLD_DAYS, app.clock.now());

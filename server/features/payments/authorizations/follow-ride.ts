import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { knownCards, cardToPayWith } from '../cards/sync-cards.ts';
import { authorizationMove } from '../rules/authorization-move.ts';
import { isUsable } from '../rules/card-state.ts';
import { labelOf } from './card-plan.ts';
import { placedAt } from './card-plan.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * A ride leaves at another time: what is planned for its passengers’ cards moves with it. Called in the
 * transaction that moves a ride, or may have; nothing happens where its time is the one that is planned for.
 */
export async function followRide(
  app: App,
  tx: Db,
  { departsAt: rideAt }: { departsAt: Date },
  bookingIds: readonly string[],
): Promise<void> {
  for (const authorization of await store.authorizationsOffTime(tx, bookingIds, rideAt)) {
    const now = app.clock.now();
    const becomes = authorizationMove(authorization, { rideAt, placedAt: placedAt(app, rideAt), now });
    if (becomes === 'plan') await planAgain(app, tx, authorization, rideAt);
    else if (becomes === 'anew') await replaceAuthorization(app, tx, { ...authorization, rideAt }, {});
    else await store.writeRideAt(tx, authorization.id, rideAt, now);
  }
}

async function planAgain(app: App, tx: Db, authorization: AuthorizationRow, rideAt: Date): Promise<void> {
  const card = await cardFor(app, tx, authorization, rideAt);
  // The planned card can no longer be used: its passenger is notified that another one is needed.
  if (card === null && authorization.cardId !== null) {
    await replaceAuthorization(app, tx, { ...authorization, rideAt }, {});
    return;
  }
  const planned =
    card === null
      ? {}
      : ({
          cardId: card.id,
          cardLabel: card.label,
          state: 'requires_confirmation',
          nextAt: placedAt(app, rideAt),
          attempts: 0,
        } as const);
  await store.updateGoal(tx, authorization.id, { rideAt, ...planned }, app.clock.now());
}

/** The card that is planned with, or another one where it is no longer good on the ride’s new day. */
async function cardFor(
  app: App,
  tx: Db,
  { passengerId, cardId }: AuthorizationRow,
  rideAt: Date,
): Promise<{ id: string; label: string } | null> {
  const planned = (await knownCards(app, tx, passengerId)).find(({ id }) => id === cardId);
  const isGood = planned !== undefined && isUsable(planned, rideAt);
  const card = isGood ? planned : await cardToPayWith(app, tx, passengerId, rideAt);
  return card === null ? null : { id: card.id, label: labelOf(card) };
}

import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Cards } from '../cards/service.ts';
import { labelOf, type Authorizations } from './service.ts';
import { isUsable } from '../rules/card-state.ts';
import { holdMove } from '../rules/authorization-move.ts';
import * as store from '../store.ts';
import type { HoldRow } from '../store.ts';

/** Holds go with their ride: where it leaves at another time, what is planned for its passengers’ cards moves as well. */
export function createRideDate(
  { clock }: Platform,
  { holds, cards }: { holds: Authorizations; cards: Cards },
) {
  /** The card that is planned with, or another one where it is no longer good on the ride’s new day. */
  async function cardFor(tx: Db, hold: HoldRow, rideAt: Date): Promise<{ id: string; label: string } | null> {
    const planned = (await cards.known(tx, hold.passengerId)).find(({ id }) => id === hold.cardId);
    const isGood = planned !== undefined && isUsable(planned, rideAt);
    const card = isGood ? planned : await cards.toPayWith(tx, hold.passengerId, rideAt);
    return card === null ? null : { id: card.id, label: labelOf(card) };
  }

  async function planAgain(tx: Db, hold: HoldRow, rideAt: Date): Promise<void> {
    const card = await cardFor(tx, hold, rideAt);
    // A card that was planned with and is good no more: its passenger is told that another one is needed.
    if (card === null && hold.cardId !== null) {
      await holds.replace(tx, { ...hold, rideAt }, {});
      return;
    }
    const planned =
      card === null
        ? {}
        : ({
            cardId: card.id,
            cardLabel: card.label,
            state: 'requires_confirmation',
            nextAt: holds.placedAt(rideAt),
            attempts: 0,
          } as const);
    await store.want(tx, hold.id, { rideAt, ...planned }, clock.now());
  }

  return {
    /** Called in the transaction that moves a ride, or may have. Nothing where its time is the one that is planned for. */
    async follow(tx: Db, { departsAt: rideAt }: { departsAt: Date }, bookingIds: readonly string[]) {
      for (const hold of await store.holdsOffTime(tx, bookingIds, rideAt)) {
        const now = clock.now();
        const becomes = holdMove(hold, { rideAt, placedAt: holds.placedAt(rideAt), now });
        if (becomes === 'plan') await planAgain(tx, hold, rideAt);
        else if (becomes === 'anew') await holds.replace(tx, { ...hold, rideAt }, {});
        else await store.want(tx, hold.id, { rideAt }, now);
      }
    },
  };
}

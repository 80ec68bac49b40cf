import type { BookingMove } from '#contract/rides/moves.ts';
import type { Base } from '../../base/base.ts';
import { hourMs, later } from '../../base/clock.ts';
import type { Db } from '../../base/db.ts';
import type { PaymentsService } from '../payments/service.ts';
import * as store from './store.ts';

/** What a move of a booking means for the money behind it. */
type Consequence = 'none' | 'letGo' | 'cancelling' | 'noShow' | 'again';

/** Nothing is forgotten: a move without a line here does not compile. */
const consequences = {
  ask: 'none',
  invite: 'none',
  offer: 'none',
  accept: 'none',
  joinAtOnce: 'none',
  acceptInvitation: 'none',
  agree: 'none',
  pay: 'none',
  holdFailed: 'none',
  reject: 'letGo',
  declineInvitation: 'letGo',
  withdraw: 'letGo',
  withdrawInvitation: 'letGo',
  expire: 'letGo',
  cancel: 'cancelling',
  gather: 'none',
  reach: 'none',
  meet: 'none',
  board: 'none',
  undoMeet: 'none',
  noShow: 'noShow',
  reportDriver: 'letGo',
  meetLate: 'none',
  boardLate: 'again',
  // What is owed is taken when the ride ends: until then somebody may still join and lower the share.
  dropOff: 'none',
  // What was ridden is known to whoever ends the ride alone: `partWayDue`.
  breakOff: 'none',
} satisfies Record<BookingMove, Consequence>;

export type Money = ReturnType<typeof createMoney>;

/** What the moves of orders mean for money: written in the transaction that moves, carried out after it. */
export function createMoney({ clock, env }: Base, payments: PaymentsService) {
  return {
    /** Called with every move of a booking, on its row as it stands after it. */
    async afterMove(tx: Db, booking: store.BookingRow, move: BookingMove): Promise<void> {
      const consequence: Consequence = consequences[move];
      if (consequence === 'none') return;
      if (consequence === 'again') return payments.resume(tx, booking.id, booking.fareCents);
      const now = clock.now();
      if (consequence === 'noShow') {
        const { latePercent } = payments.terms.cancellation;
        await payments.settle(tx, booking.id, {
          takeCents: Math.round((booking.fareCents * latePercent) / 100),
          kind: 'noShow',
          takeAt: later(now, env.DISPUTE_HOURS * hourMs),
        });
        return;
      }
      const takeCents =
        consequence === 'cancelling' && booking.fault === 'passenger' ? payments.cancelFee(booking).cents : 0;
      await payments.settle(tx, booking.id, { takeCents, kind: 'cancellation', takeAt: now });
    },

    /** The ride has ended: whoever was driven pays their share. */
    async fareDue(tx: Db, finished: readonly store.BookingRow[]): Promise<void> {
      for (const { id, fareCents } of finished)
        await payments.settle(tx, id, { takeCents: fareCents, kind: 'fare', takeAt: clock.now() });
    },

    /** The ride has ended on the way: its part of the share is taken once there was time to object. */
    partWayDue: (tx: Db, bookingId: string, shareCents: number): Promise<void> =>
      payments.settle(tx, bookingId, {
        takeCents: shareCents,
        kind: 'partWay',
        takeAt: later(clock.now(), env.DISPUTE_HOURS * hourMs),
      }),

    /** What a passenger who says yes will pay; false while it is not sure that they can. */
    async plan(
      tx: Db,
      {
        ride,
        request,
        booking,
      }: { ride: store.RideRow; request: store.RequestRow; booking: store.BookingRow },
      { amountCents, isPresent }: { amountCents: number; isPresent: boolean },
    ): Promise<boolean> {
      if (amountCents === 0) return true;
      const { id: bookingId, rideId, requestId, passengerId, driverId, seats, pickupAt } = booking;
      const hold = await payments.plan(
        tx,
        {
          bookingId,
          rideId,
          requestId,
          passengerId,
          driverId,
          seats,
          orderNumber: ride.orderNumber,
          fromName: booking.pickupName || request.fromName,
          toName: booking.dropoffName || request.toName,
          rideAt: pickupAt,
          timeZone: ride.timeZone,
        },
        { amountCents, isPresent },
      );
      return payments.isSecured(hold);
    },
  };
}

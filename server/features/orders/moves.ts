import {
  bookingMoves,
  requestMoves,
  rideMoves,
  type Actor,
  type BookingAwaits,
  type BookingMove,
  type RequestMove,
  type RideMove,
} from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import type { Money } from './money.ts';
import { bookingProcess, requestProcess, rideProcess, type Deadline } from './process.ts';
import * as store from './store.ts';

/** Who makes a move; the system has no id. */
export interface By {
  actor: Actor;
  actorId: string | null;
}

export const bySystem: By = { actor: 'system', actorId: null };

/** Moves that begin a booking. */
type OpeningMove = 'ask' | 'invite' | 'offer';
/** Moves after which a booking waits for something, with an end. */
type DeadlineMove = {
  [M in BookingMove]: (typeof bookingProcess)[M]['deadline'] extends null ? never : M;
}[BookingMove];

/** A change of state: the move, who makes it, what else the row gets, and what the history says of it. */
interface Change<Move, Set> {
  move: Move;
  by: By;
  set?: Set;
  note?: string;
}
type RideChange = Change<Exclude<RideMove, 'publish'>, Partial<store.RideRow>>;
type RequestChange = Change<Exclude<RequestMove, 'publish'>, Partial<store.RequestRow>>;
type BookingChange<Move extends Exclude<BookingMove, OpeningMove>> = Change<
  Move,
  Partial<Omit<store.BookingRow, 'state' | 'awaits' | 'expiresAt'>>
> &
  ([Move & DeadlineMove] extends [never] ? { expiresAt?: never } : { expiresAt: Date });

const awaitsOf: Record<Deadline, BookingAwaits | null> = {
  answer: null,
  offer: 'answer',
  payment: 'payment',
  securing: 'payment',
};
const awaitsAfter = (deadline: Deadline | null): BookingAwaits | null =>
  deadline === null ? null : awaitsOf[deadline];

export type Moves = ReturnType<typeof createMoves>;

/**
 * The only way a ride, a request or a booking changes its state: from a state the table of moves allows, by an actor it
 * allows, in one conditional update, with its line in the history and its signal, all in the caller's transaction.
 * Refuses `order.moved` or `booking.moved` when somebody else was faster.
 */
export function createMoves({ clock, outbox }: Platform, money: Money) {
  async function note(
    tx: Db,
    thing: {
      kind: 'ride' | 'request' | 'booking';
      id: string;
      rideId: string | null;
      requestId: string | null;
    },
    change: { move: string; from: string | null; to: string; by: By; note: string },
  ): Promise<void> {
    const { by, move } = change;
    await store.insertHistory(tx, {
      thing: thing.kind,
      thingId: thing.id,
      rideId: thing.rideId,
      requestId: thing.requestId,
      move,
      fromState: change.from,
      toState: change.to,
      actor: by.actor,
      actorId: by.actorId,
      note: change.note,
      at: clock.now(),
    });
  }

  /** An order for an event has moved; those without one, most of all, cost no signal. */
  async function eventMoved(tx: Db, { eventId }: { eventId: string | null }): Promise<void> {
    if (eventId !== null) await outbox.emit(tx, 'event.moved', { eventId }, eventId);
  }

  async function rideMoved(
    tx: Db,
    ride: store.RideRow,
    from: string | null,
    { move, by, note: words = '' }: Change<RideMove, unknown>,
  ): Promise<void> {
    await note(
      tx,
      { kind: 'ride', id: ride.id, rideId: ride.id, requestId: null },
      { move, from, to: ride.state, by, note: words },
    );
    await outbox.emit(
      tx,
      'ride.moved',
      { rideId: ride.id, move, to: ride.state, driverId: ride.driverId, actor: by.actor },
      ride.id,
    );
    await eventMoved(tx, ride);
  }

  async function requestMoved(
    tx: Db,
    request: store.RequestRow,
    from: string | null,
    { move, by }: Change<RequestMove, unknown>,
  ): Promise<void> {
    await note(
      tx,
      { kind: 'request', id: request.id, rideId: null, requestId: request.id },
      { move, from, to: request.state, by, note: '' },
    );
    await outbox.emit(
      tx,
      'request.moved',
      { requestId: request.id, move, to: request.state, passengerId: request.passengerId },
      request.id,
    );
    await eventMoved(tx, request);
  }

  async function bookingMoved(
    tx: Db,
    booking: store.BookingRow,
    from: string | null,
    { move, by, note: words = '' }: Change<BookingMove, unknown>,
  ): Promise<void> {
    const { id, rideId, requestId, driverId, passengerId } = booking;
    await note(
      tx,
      { kind: 'booking', id, rideId, requestId },
      { move, from, to: booking.state, by, note: words },
    );
    const payload = {
      bookingId: id,
      rideId,
      requestId,
      move,
      to: booking.state,
      driverId,
      passengerId,
      actor: by.actor,
    };
    await outbox.emit(tx, 'booking.moved', payload, rideId);
  }

  return {
    /** An order was edited by its owner: its line in the history and its signal; its state stays. */
    async edited(
      tx: Db,
      of: { ride: store.RideRow } | { request: store.RequestRow },
      by: By,
      what: 'terms' | 'details',
    ): Promise<void> {
      const [kind, { id, state }] =
        'ride' in of ? (['ride', of.ride] as const) : (['request', of.request] as const);
      const [rideId, requestId] = kind === 'ride' ? [id, null] : [null, id];
      await note(
        tx,
        { kind, id, rideId, requestId },
        { move: 'update', from: state, to: state, by, note: '' },
      );
      const ownerId = 'ride' in of ? of.ride.driverId : of.request.passengerId;
      await outbox.emit(tx, 'order.edited', { kind, orderId: id, ownerId, what }, id);
      await eventMoved(tx, 'ride' in of ? of.ride : of.request);
    },

    async publishRide(tx: Db, row: Parameters<typeof store.insertRide>[1]): Promise<store.RideRow> {
      const ride = await store.insertRide(tx, row);
      await rideMoved(tx, ride, null, { move: 'publish', by: { actor: 'driver', actorId: ride.driverId } });
      return ride;
    },

    async publishRequest(tx: Db, row: Parameters<typeof store.insertRequest>[1]): Promise<store.RequestRow> {
      const request = await store.insertRequest(tx, row);
      const by: By = { actor: 'passenger', actorId: request.passengerId };
      await requestMoved(tx, request, null, { move: 'publish', by });
      return request;
    },

    /** A booking begins, by an ask, an invitation, or the offer of a seat that has become free. */
    async openBooking(
      tx: Db,
      move: OpeningMove,
      row: Omit<Parameters<typeof store.insertBooking>[1], 'state' | 'awaits'> & { expiresAt: Date },
      by: By,
    ): Promise<store.BookingRow> {
      const awaits = awaitsAfter(bookingProcess[move].deadline);
      const booking = await store.insertBooking(tx, { ...row, awaits, state: bookingMoves[move].to });
      await bookingMoved(tx, booking, null, { move, by, note: booking.message });
      return booking;
    },

    async moveRide(tx: Db, ride: store.RideRow, change: RideChange): Promise<store.RideRow> {
      const { move, by, set } = change;
      const rule = rideMoves[move];
      const allowed = (rule.actors as readonly Actor[]).includes(by.actor);
      const moved = allowed
        ? await store.advanceRide(tx, ride.id, rule.from, { ...set, state: rule.to })
        : null;
      if (moved === null) throw movedOn('order.moved', 'This ride has moved on. Please look again.');
      if (rideProcess[move].endsWaitlist) await store.stopWaiting(tx, { rideId: ride.id });
      await rideMoved(tx, moved, ride.state, change);
      return moved;
    },

    /**
     * Lets open orders expire that had no booking at all, `limit` at once: one signal tells of them all. How many there were.
     * @param lastAt when the last of them could have left.
     */
    async expireUnasked(
      tx: Db,
      kind: 'ride' | 'request',
      { lastAt, limit }: { lastAt: Date; limit: number },
    ): Promise<number> {
      const { to } = kind === 'ride' ? rideMoves.expire : requestMoves.expire;
      const expired = await store.expireUnasked(tx, kind, { lastAt, limit, now: clock.now(), to });
      if (expired.length === 0) return 0;
      const orders = expired.map(({ id, ownerId }) => ({ id, ownerId }));
      await outbox.emit(tx, 'orders.expired', { kind, orders }, orders[0]!.id);
      for (const eventId of new Set(expired.map((order) => order.eventId))) await eventMoved(tx, { eventId });
      return expired.length;
    },

    async moveRequest(tx: Db, request: store.RequestRow, change: RequestChange): Promise<store.RequestRow> {
      const { move, by, set } = change;
      const rule = requestMoves[move];
      const allowed = (rule.actors as readonly Actor[]).includes(by.actor);
      const moved = allowed
        ? await store.advanceRequest(tx, request.id, rule.from, { ...set, state: rule.to })
        : null;
      if (moved === null) throw movedOn('order.moved', 'This request has moved on. Please look again.');
      if (requestProcess[move].endsWaitlist) await store.stopWaiting(tx, { requestId: request.id });
      await requestMoved(tx, moved, request.state, change);
      return moved;
    },

    /** @param change.expiresAt when what the booking waits for after this move is over; for such moves alone. */
    async moveBooking<Move extends Exclude<BookingMove, OpeningMove>>(
      tx: Db,
      booking: store.BookingRow,
      change: BookingChange<Move>,
    ): Promise<store.BookingRow> {
      const { move, by, set, expiresAt = null } = change;
      const rule = bookingMoves[move];
      const allowed = (rule.actors as readonly Actor[]).includes(by.actor);
      const { deadline } = bookingProcess[move];
      const row = {
        ...set,
        awaits: awaitsAfter(deadline),
        expiresAt: deadline === null ? null : expiresAt,
        state: rule.to,
      };
      const moved = allowed ? await store.advanceBooking(tx, booking.id, rule.from, row) : null;
      if (moved === null) throw movedOn('booking.moved', 'This has moved on. Please look again.');
      await money.afterMove(tx, moved, move);
      await bookingMoved(tx, moved, booking.state, change);
      return moved;
    },
  };
}

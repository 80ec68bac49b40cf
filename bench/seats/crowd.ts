import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openAskStates, seatedStates, type BookingState } from '#contract/rides/moves.ts';
import type { BuiltApp } from '../../server/app.ts';
import { hourMs, type MovableClock } from '../../server/platform/clock.ts';
import { Refusal } from '../../server/platform/refusal.ts';
import { randomFrom } from '../../server/testing/random.ts';
import { requestOf } from '../../server/testing/booking-plans.ts';
import { createOrder } from '../../server/features/orders/order-commands.ts';
import {
  expireBooking,
  withdrawBooking,
  rejectBooking,
} from '../../server/features/orders/bookings/close-booking.ts';
import { previewCancellation } from '../../server/features/orders/bookings/cancellation-fee.ts';
import { cancelOrder } from '../../server/features/orders/bookings/cancel-order.ts';
import { joinWaitlist } from '../../server/features/orders/bookings/waitlist.ts';
import { askToJoin } from '../../server/features/orders/bookings/open-booking.ts';
import { acceptBooking } from '../../server/features/orders/bookings/accept-booking.ts';

export const clients = 24;
/** The clock moves so far in all: many asks expire, and canceling comes to cost something. */
const clockMovesBy = 16 * hourMs;
const clockSteps = 100;

export type Moving = BuiltApp & { clock: MovableClock; owner: Pool };

/** An open booking of a passenger, as far as a client has to know it to choose what to do next. */
interface OpenBooking {
  id: string;
  rideId: string;
  driverId: string;
  state: BookingState;
  isDue: boolean;
}

/** The passengers' open requests that clients see before they act: what people have on their screens. */
const looking = {
  name: 'seats-look',
  text: `select q.id as "requestId", b.id, b.ride_id as "rideId", b.driver_id as "driverId", b.state,
      b.expires_at <= $2 as "isDue"
    from requests q left join bookings b on b.request_id = q.id and b.ended_at is null
    where q.id = any($1) and q.ended_at is null order by b.created_at, b.id`,
};
type Seen = { requestId: string } & (OpenBooking | { id: null });

export interface BenchRide {
  id: string;
  isInstant: boolean;
}

/** Each person who wants a seat, and what they do about it until enough has been done. */
export class Crowd {
  readonly #app: Moving;
  readonly #rides: readonly BenchRide[];
  readonly #departsAt: Date;
  readonly #operations: number;
  /** The newest request of each passenger. */
  readonly #wants: Map<string, string>;
  /** The next read, which all clients share that want to read in the meantime. */
  #nextLook: { requestIds: Set<string>; seen: Promise<readonly Seen[]> } | null = null;
  started = 0;
  done = 0;
  refused = 0;
  readonly tookMs: number[] = [];
  readonly counts = {
    asked: 0,
    bookedAtOnce: 0,
    accepted: 0,
    canceled: 0,
    waited: 0,
    withdrawn: 0,
    expired: 0,
  };

  constructor(
    app: Moving,
    of: { departsAt: Date; rides: readonly BenchRide[]; operations: number; wants: Map<string, string> },
  ) {
    this.#app = app;
    this.#rides = of.rides;
    this.#departsAt = of.departsAt;
    this.#operations = of.operations;
    this.#wants = of.wants;
  }

  /** Has all clients act for their passengers until enough is done; returns how many operations a second. */
  async act(passengerIds: readonly string[]): Promise<number> {
    const share = Math.ceil(passengerIds.length / clients);
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: clients }, (_, client) =>
        this.#client(client + 1, passengerIds.slice(client * share, (client + 1) * share)),
      ),
    );
    return (this.done / (performance.now() - startedAt)) * 1000;
  }

  /**
   * One client acts for its passengers, and for the drivers of whom they want something, one call after
   * another.
   */
  async #client(seed: number, passengerIds: readonly string[]): Promise<void> {
    const random = randomFrom(seed);
    while (this.started < this.#operations) {
      const passengerId = passengerIds[Math.floor(random() * passengerIds.length)]!;
      const seen = await this.#look(passengerId);
      if (this.started >= this.#operations) return;
      const count = ++this.started;
      if (count % Math.ceil(this.#operations / clockSteps) === 0)
        this.#app.clock.advance(clockMovesBy / clockSteps);
      const ride = this.#rides[Math.floor(random() * this.#rides.length)]!;
      await this.#act({ passengerId, ride, ...seen }, random);
    }
  }

  /** The open request of a passenger, another one where theirs has ended, and its open bookings. */
  async #look(passengerId: string): Promise<{ requestId: string; open: OpenBooking[] }> {
    const known = this.#wants.get(passengerId);
    if (known !== undefined) {
      const rows = (await this.#lookAt(known)).filter(({ requestId }) => requestId === known);
      const open = rows.flatMap((row) => (row.id === null ? [] : [row]));
      if (rows.length > 0) return { requestId: known, open };
    }
    const fresh = await createOrder(this.#app.platform, passengerId, requestOf(this.#departsAt));
    this.#wants.set(passengerId, fresh.id);
    return { requestId: fresh.id, open: [] };
  }

  /** Clients that read at the same moment do so by one statement: reading is no operation. */
  #lookAt(requestId: string): Promise<readonly Seen[]> {
    if (this.#nextLook === null) {
      const requestIds = new Set<string>();
      const seen = setImmediate().then(async () => {
        this.#nextLook = null;
        const { platform, clock } = this.#app;
        return platform.kept.read<Seen>({ ...looking, values: [[...requestIds], clock.now()] });
      });
      this.#nextLook = { requestIds, seen };
    }
    this.#nextLook.requestIds.add(requestId);
    return this.#nextLook.seen;
  }

  async #act(
    of: { passengerId: string; requestId: string; ride: BenchRide; open: readonly OpenBooking[] },
    random: () => number,
  ): Promise<void> {
    const { open } = of;
    const seated = open.find(({ state }) => seatedStates.includes(state));
    const ask = open.find(({ state }) => openAskStates.includes(state));
    const due = open.find(({ isDue }) => isDue);
    const draw = random();
    if (due !== undefined) await this.#time('expired', () => expireBooking(this.#app.platform, due.id));
    else if (seated !== undefined && draw < 0.5) {
      const { seen } = await previewCancellation(this.#app.platform, of.requestId, of.passengerId);
      await this.#time('canceled', () =>
        cancelOrder(this.#app.platform, of.passengerId, { id: of.requestId, reason: '', seen }),
      );
    } else if (seated !== undefined) {
      const place = { id: seated.rideId, bookingId: seated.id, reason: 'No room after all' };
      await this.#time('canceled', () => cancelOrder(this.#app.platform, seated.driverId, place));
    } else if (ask !== undefined && draw < 0.75) await this.#answer(ask, of.passengerId, draw);
    else if (draw < 0.35) {
      const { ride, requestId, passengerId } = of;
      await this.#time('waited', () =>
        joinWaitlist(this.#app.platform, passengerId, { rideId: ride.id, requestId }),
      );
    } else {
      const { ride, requestId, passengerId } = of;
      await this.#time(ride.isInstant ? 'bookedAtOnce' : 'asked', () =>
        askToJoin(this.#app.platform, passengerId, { rideId: ride.id, requestId, message: '' }),
      );
    }
  }

  async #answer(booking: OpenBooking, passengerId: string, draw: number): Promise<void> {
    const { id, driverId } = booking;
    if (booking.state === 'requesting')
      await (draw < 0.5
        ? this.#time('accepted', () => acceptBooking(this.#app.platform, id, driverId))
        : this.#time('withdrawn', () => withdrawBooking(this.#app.platform, id, passengerId)));
    else if (draw < 0.5)
      await this.#time('accepted', () => acceptBooking(this.#app.platform, id, passengerId));
    else await this.#time('withdrawn', () => rejectBooking(this.#app.platform, id, passengerId, ''));
  }

  /** Does and times one operation; a refusal is an answer too. */
  async #time(what: keyof Crowd['counts'], act: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    try {
      await act();
      this.counts[what]++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused++;
    }
    this.tookMs.push(performance.now() - startedAt);
    this.done++;
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { config, version } from '#contract/app/endpoints.ts';
import { unreadCount } from '#contract/chat/endpoints.ts';
import type { Endpoint, InputOf, OutputOf } from '#contract/define.ts';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { countNews } from '#contract/notifications/endpoints.ts';
import { createReview } from '#contract/reviews/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  confirmMeeting,
  createOrder,
  depart,
  listOrders,
  match,
  nextOrder,
  pickUp,
  reach,
} from '#contract/rides/endpoints.ts';
import { tellLocation } from '#contract/trips/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import type { BuiltApp } from '../../server/app.ts';
import { later, minuteMs } from '../../server/platform/clock.ts';
import { readEnvelope } from '../../server/testing/envelopes.ts';
import { makeDriver, saveCard } from '../../server/testing/money.ts';
import { spots } from '../../server/testing/orders.ts';
import { newPerson, type TestPerson } from '../../server/testing/people.ts';
import type { CostMeter } from './meter.ts';

/** How many pairs act at a time: a server that is busy, not one that is overrun. */
const fewAtOnce = pLimit(8);
/** For pairs that mostly wait. */
const allAtOnce = pLimit(Infinity);
/** Soon enough for the day of the ride to have begun, an hour before. */
const departsInMs = 40 * minuteMs;
const costCents = 2000;
/** Positions that a driver tells in the measured stretch of a drive, as often as the app does. */
export const positionsPerRide = 5;
const positionEveryMs = 2500;
const gathersWithinMs = 120_000;

/** One driver, one passenger, and what they have agreed on so far. */
interface Pair {
  driver: TestPerson;
  passenger: TestPerson;
  vehicleId: string | null;
  rideId: string;
  requestId: string;
  bookingId: string;
}

/** Pairs of people who find each other and ride together over HTTP, one action after another measured. */
export class Pairs {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #meter: CostMeter;
  readonly #pairs: readonly Pair[];
  readonly #departsAt = later(new Date(), departsInMs);

  private constructor(of: { url: string; pool: Pool; meter: CostMeter; pairs: readonly Pair[] }) {
    this.#url = of.url;
    this.#pool = of.pool;
    this.#meter = of.meter;
    this.#pairs = of.pairs;
  }

  /** @param isPaid the drivers take cards, and the passengers have one */
  static async draw(
    app: BuiltApp,
    of: { url: string; pool: Pool; meter: CostMeter; count: number; isPaid: boolean },
  ): Promise<Pairs> {
    const pairs: Pair[] = [];
    for (let index = 0; index < of.count; index++) {
      const driver = await newPerson(app.platform, `Driver ${index}`);
      const passenger = await newPerson(app.platform, `Passenger ${index}`);
      const vehicleId = of.isPaid ? await makeDriver(app, driver.id) : null;
      if (of.isPaid) await saveCard(app, passenger.id);
      pairs.push({ driver, passenger, vehicleId, rideId: '', requestId: '', bookingId: '' });
    }
    return new Pairs({ ...of, pairs });
  }

  get people(): readonly TestPerson[] {
    return this.#pairs.flatMap(({ driver, passenger }) => [driver, passenger]);
  }

  /** From the open app to an agreed booking. */
  async agree(suffix: string): Promise<void> {
    await this.#measure(`open the app${suffix}`, ({ driver }) => this.#openApp(driver));
    await this.#measure(`publish a ride${suffix}`, async (pair) => {
      const order = { ...offer, departsAt: this.#departsAt.toISOString(), ...priceOf(pair) };
      pair.rideId = (await this.#call(pair.driver, createOrder, { order })).id;
    });
    await this.#measure(`publish a request${suffix}`, async (pair) => {
      const order = {
        ...wish,
        earliestAt: later(this.#departsAt, -10 * minuteMs).toISOString(),
        latestAt: later(this.#departsAt, 20 * minuteMs).toISOString(),
      };
      pair.requestId = (await this.#call(pair.passenger, createOrder, { order })).id;
    });
    await this.#measure(`find matches${suffix}`, (pair) =>
      this.#call(pair.passenger, match, { id: pair.requestId }),
    );
    await this.#measure(`ask${suffix}`, ({ passenger, rideId, requestId }) =>
      this.#call(passenger, askToJoin, { rideId, requestId }),
    );
    for (const pair of this.#pairs) pair.bookingId = await this.#bookingOf(pair.requestId);
    await this.#measure(`accept${suffix}`, ({ driver, bookingId }) =>
      this.#call(driver, accept, { bookingId }),
    );
  }

  /** The day of the ride, from "I am here" to the review. */
  async ride(suffix: string): Promise<void> {
    await this.#untilGathered();
    await this.#measure(
      `reach, pick up, depart${suffix}`,
      async ({ driver, passenger, rideId, bookingId }) => {
        await this.#call(driver, reach, { id: rideId, at: spots.westside });
        await this.#call(driver, pickUp, { bookingId });
        await this.#call(passenger, confirmMeeting, { bookingId });
        await this.#call(driver, depart, { id: rideId });
      },
    );
    await this.#measure(
      `positions of the car, ${positionsPerRide}${suffix}`,
      async ({ driver, rideId }) => {
        for (let told = 0; told < positionsPerRide; told++) {
          // The one before may have come with the step just taken.
          await sleep(positionEveryMs);
          const { lon, lat } = spots.westside;
          await this.#call(driver, tellLocation, { id: rideId, lon: lon + told / 5000, lat });
        }
      },
      allAtOnce,
    );
    await this.#measure(`arrive${suffix}`, ({ driver, rideId }) =>
      this.#call(driver, arrive, { id: rideId }),
    );
    await this.#measure(`review, both${suffix}`, async ({ driver, passenger, bookingId }) => {
      await this.#call(driver, createReview, { bookingId, stars: 5 });
      await this.#call(passenger, createReview, { bookingId, stars: 5 });
    });
  }

  /** The reads of home when it is opened. */
  async #openApp(who: TestPerson): Promise<void> {
    await Promise.all([
      this.#call(who, version, {}),
      this.#call(who, config, {}),
      this.#call(who, readProfile, {}),
      this.#call(who, nextOrder, { role: 'driver' }),
      this.#call(who, listAddresses, {}),
      this.#call(who, listOrders, { role: 'driver' }),
      this.#call(who, countNews, {}),
      this.#call(who, unreadCount, {}),
    ]);
  }

  #measure(action: string, act: (pair: Pair) => Promise<unknown>, inTurn = fewAtOnce): Promise<void> {
    return this.#meter.measure(action, this.#pairs.length, () =>
      Promise.all(this.#pairs.map((pair) => inTurn(() => act(pair)))),
    );
  }

  /** @throws Error when the call is refused. */
  async #call<E extends Endpoint>(who: TestPerson, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
    const isRead = endpoint.method === 'GET';
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(input)) search.set(name, String(value));
    const response = await fetch(`${this.#url}${endpoint.path}${isRead ? `?${search.toString()}` : ''}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${who.token}` },
      ...(isRead ? {} : { body: JSON.stringify({ ...input, idempotencyKey: keyFor(endpoint) }) }),
    });
    const answer = readEnvelope(await response.json());
    if (answer.code !== 200) throw new Error(`${endpoint.path}: ${answer.info}`);
    return endpoint.output.parse(answer.data) as OutputOf<E>;
  }

  async #bookingOf(requestId: string): Promise<string> {
    const text = 'select id from bookings where request_id = $1';
    return (await this.#pool.query<{ id: string }>(text, [requestId])).rows[0]!.id;
  }

  /** The clock gathers who has joined, from an hour before departure. */
  async #untilGathered(): Promise<void> {
    const rideIds = this.#pairs.map(({ rideId }) => rideId);
    for (let waitedMs = 0; waitedMs < gathersWithinMs; waitedMs += 200) {
      const { rows } = await this.#pool.query<{ count: number }>(
        `select count(*)::int as count from rides where id = any($1) and state <> 'waiting'`,
        [rideIds],
      );
      if (rows[0]!.count === 0) return;
      await sleep(200);
    }
    throw new Error('Rides were not gathered within two minutes.');
  }
}

const offer = { role: 'driver', from: spots.westside, to: spots.aptos, seats: 3 } as const;
const wish = {
  role: 'passenger',
  from: spots.westside,
  to: spots.capitola,
  seats: 1,
  offerCents: null,
} as const;

/** The app sends no position again. */
const keyFor = ({ path }: Pick<Endpoint, 'path'>): string => (path === tellLocation.path ? '' : randomUUID());

const priceOf = ({ vehicleId }: Pair) => ({
  vehicleId,
  priceKind: 'perPerson' as const,
  costCents: vehicleId === null ? 0 : costCents,
});

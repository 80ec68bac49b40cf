import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { roomDetail } from '#contract/chat/endpoints.ts';
import type { Endpoint } from '#contract/define.ts';
import { accept, askToJoin, createOrder, matchPair } from '#contract/rides/endpoints.ts';
import type { z } from 'zod';
import { ChatClient } from '../../server/testing/chat-client.ts';
import { readEnvelope } from '../../server/testing/envelopes.ts';
import { spots } from '../../server/testing/orders.ts';
import type { TestPerson } from '../../server/testing/people.ts';
import type { Deed, Tally } from './tally.ts';

const patienceMs = 15_000;
const againAfterMs = 150;
const hourMs = 3_600_000;
const linesEach = 3;

/** The acknowledged calls of a driver and a passenger. */
export interface Pairing {
  driverId: string;
  passengerId: string;
  rideId: string | null;
  requestId: string | null;
  bookingId: string | null;
  isAccepted: boolean;
  /** The lines of each as they were acknowledged, in the order in which they were typed. */
  lines: { senderId: string; texts: string[] }[];
  /** The lines on the two screens at the end. */
  screens: string[][];
  /** Both have done all, and have seen what the other wrote. */
  isDone: boolean;
}

interface Town {
  url: string;
  tally: Tally;
  /** Lines that have not come until then will not come. */
  isGivenUp: () => boolean;
}

/** Makes a call as the app does: with the same key, until the server answers. */
async function call<I extends z.ZodObject, O extends z.ZodType>(
  { url, tally, isGivenUp }: Town,
  who: TestPerson,
  { endpoint, input, deed }: { endpoint: Endpoint<I, O>; input: z.input<I>; deed: Deed },
): Promise<z.output<O>> {
  const isRead = endpoint.method === 'GET';
  const fields = {
    ...input,
    signTime: Date.now(),
    sign: '',
    ...(isRead ? {} : { idempotencyKey: randomUUID() }),
  };
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  for (;;) {
    try {
      const response = await fetch(`${url}${endpoint.path}${isRead ? `?${query.toString()}` : ''}`, {
        method: endpoint.method,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${who.token}`,
        },
        signal: AbortSignal.timeout(patienceMs),
        ...(isRead ? {} : { body: JSON.stringify(fields) }),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const envelope = readEnvelope(await response.json());
      if (envelope.code === 200) {
        tally.success(deed);
        return endpoint.output.parse(envelope.data);
      }
      if (envelope.code !== 429)
        throw new Refused(`${endpoint.path}: ${envelope.code} ${envelope.reason ?? ''}`);
      tally.error(`${envelope.code} ${envelope.reason ?? ''}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      tally.error(error instanceof Error ? error.message : String(error));
    }
    if (isGivenUp()) throw new Refused(`${endpoint.path}: given up`);
    await sleep(againAfterMs * (1 + Math.random()));
  }
}

/** An answer that stays the same when the call is repeated: the pair stops there and counts as unfinished. */
class Refused extends Error {}

/** A driver and a passenger who have not done anything yet. */
export const newPairing = (driver: TestPerson, passenger: TestPerson): Pairing => ({
  driverId: driver.id,
  passengerId: passenger.id,
  rideId: null,
  requestId: null,
  bookingId: null,
  isAccepted: false,
  lines: [],
  screens: [],
  isDone: false,
});

/**
 * A driver and a passenger meet: both publish, one asks, the other accepts, and they talk. Notes each answer
 * in `met` as it comes.
 */
export async function meet(
  town: Town,
  driver: TestPerson,
  passenger: TestPerson,
  met: Pairing,
): Promise<void> {
  const departsMs = Date.now() + 24 * hourMs;
  const common = { from: spots.westside, to: spots.aptos, seats: 1, visibility: 'all users' as const };
  const ride = await call(town, driver, {
    endpoint: createOrder,
    deed: 'call',
    input: {
      order: {
        ...common,
        role: 'driver',
        departsAt: new Date(departsMs).toISOString(),
        vehicleId: null,
        priceKind: 'perPerson',
        costCents: 0,
        maxDetourMinutes: 20,
      },
    },
  });
  met.rideId = ride.id;
  const request = await call(town, passenger, {
    endpoint: createOrder,
    deed: 'call',
    input: {
      order: {
        ...common,
        role: 'passenger',
        from: spots.downtown,
        to: spots.capitola,
        earliestAt: new Date(departsMs - hourMs / 2).toISOString(),
        latestAt: new Date(departsMs + hourMs).toISOString(),
        offerCents: null,
      },
    },
  });
  met.requestId = request.id;
  const found = await call(town, passenger, {
    endpoint: matchPair,
    deed: 'search',
    input: { id: request.id, otherId: ride.id },
  });
  if (found.candidate === null) throw new Refused('a ride that was just published was not found');
  const asked = await call(town, passenger, {
    endpoint: askToJoin,
    deed: 'call',
    input: { rideId: ride.id, requestId: request.id },
  });
  met.bookingId = asked.order.bookings[0]!.id;
  await call(town, driver, { endpoint: accept, deed: 'call', input: { bookingId: met.bookingId } });
  met.isAccepted = true;
  await untilRoomOpens(town, driver, ride.id);
  await talk(town, [driver, passenger], ride.id, met);
  met.isDone = true;
}

/** The worker opens the room, when it hears that the booking has moved. */
async function untilRoomOpens(town: Town, who: TestPerson, roomid: string): Promise<void> {
  const { url, tally, isGivenUp } = town;
  for (;;) {
    const query = new URLSearchParams({ roomid, signTime: String(Date.now()), sign: '' });
    const answer = await fetch(`${url}${roomDetail.path}?${query.toString()}`, {
      headers: { accept: 'application/json', authorization: `Bearer ${who.token}` },
      signal: AbortSignal.timeout(patienceMs),
    })
      .then(async (response) => readEnvelope(await response.json()))
      .catch(() => null);
    if (answer?.code === 200) return tally.success('news');
    if (isGivenUp()) throw new Refused('no room was opened: given up');
    await sleep(againAfterMs);
  }
}

async function talk(town: Town, two: readonly TestPerson[], roomid: string, met: Pairing): Promise<void> {
  const apps = two.map(
    ({ id, token }) => new ChatClient({ urls: [town.url], first: 0, userId: id, token, roomid }),
  );
  try {
    await Promise.all(apps.map((app) => app.start()));
    await Promise.all(
      apps.map(async (app, at) => {
        const texts: string[] = [];
        met.lines.push({ senderId: two[at]!.id, texts });
        for (let line = 0; line < linesEach; line++) {
          const text = `${at} says ${line}`;
          await app.say(text);
          texts.push(text);
          town.tally.success('line');
        }
      }),
    );
    const isShown = (app: ChatClient) =>
      met.lines.every(({ texts }) => texts.every((text) => app.shown.some((line) => line.text === text)));
    while (!apps.every(isShown) && !town.isGivenUp()) await sleep(50);
    met.screens = apps.map((app) => app.shown.map(({ text }) => text).filter((text) => text !== ''));
  } finally {
    for (const app of apps) app.stop();
  }
}

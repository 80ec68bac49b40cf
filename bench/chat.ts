import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '../server/platform/database/database-folder.ts';
import { databaseOf } from '../server/platform/database/db.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { ChatClient } from '../server/testing/chat-client.ts';
import { openRedisServer, type RedisServer } from '../server/testing/redis-server.ts';
import { freePort, startServerProcess, type ServerProcess } from '../server/testing/server-process.ts';
import { drawCrowd, type Writer } from './chat/crowd.ts';
import { echoDeliveriesPerSecond } from './chat/echo.ts';
import { inTurns } from './chat/in-turns.ts';
import { compareScreens, textOf, type Outcome } from './chat/screens.ts';
import { percentile, rounded, say } from './bench-app.ts';

const people = 1000;
const perRoom = 5;
/**
 * The server takes 500 sockets of one network: the people come from this many loopback addresses, which Linux
 * has.
 */
const networks = 4;
/** How many write at the same moment while it is measured how much goes through. */
const inFlight = 256;
const atOnceMessages = 40_000;
/** Everyone writes once in five seconds while it is measured how long it takes. */
const pacedPerSecond = 200;
const pacedMessages = 2400;
const settleWithinMs = 30_000;
const giveUpAfterMs = 10 * 60_000;

/**
 * 1,000 people with the app open, in 200 rooms of five, talk over one real server process: at an even pace
 * for the times, then as fast as 256 at a time can for the throughput, compared with a bare socket.io server
 * and the same crowd; the same over two processes; and once more over two, one of which is killed and started
 * again while they write.
 */
export async function benchChat(): Promise<Record<string, unknown>> {
  // Whatever hangs, the run ends; the servers it started end with their database.
  const giveUp = setTimeout(() => {
    say('Gave up after ten minutes.');
    process.exit(1);
  }, giveUpAfterMs);
  const folder = scratchFolder('sameway-bench-');
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, { onError: () => {} });
  const redis = await openRedisServer();
  const servers = new Servers(folder, redis);
  try {
    const writers = await drawCrowd(databaseOf(database.pool), 3 * people, perRoom);
    return await talkOverBoth(servers, writers, redis);
  } finally {
    await servers.kill();
    await redis?.stop();
    await database.close();
    fs.rmSync(folder, { recursive: true, force: true });
    clearTimeout(giveUp);
  }
}

/** The same crowd three times, and the bare socket before and after the first. */
async function talkOverBoth(
  servers: Servers,
  writers: readonly Writer[],
  redis: RedisServer | null,
): Promise<Record<string, unknown>> {
  const bare = () => echoDeliveriesPerSecond({ people, perRoom, messages: atOnceMessages, inFlight });
  const bareBefore = await bare();
  say(`bare socket.io: ${bareBefore} deliveries a second`);

  await servers.start(1);
  const alone = await talk(servers.urls, writers.slice(0, people), {});
  await servers.stop();
  say(`one process: ${JSON.stringify(alone)}`);
  // Before and after: what else the machine does changes within a minute.
  const rawDeliveriesPerSecond = Math.round((bareBefore + (await bare())) / 2);

  await servers.start(2);
  const together = await talk(servers.urls, writers.slice(people, 2 * people), {});
  await servers.stop();
  say(`two processes: ${JSON.stringify(together)}`);

  await servers.start(2);
  const oneKilled = await talk(servers.urls, writers.slice(2 * people), {
    whileTheyWrite: () => servers.killAndStartAgain(1),
  });
  await servers.stop();
  say(`two processes, one killed and started again: ${JSON.stringify(oneKilled)}`);
  const ratioToOne = ({ deliveriesPerSecond }: Talk) =>
    rounded(deliveriesPerSecond / alone.deliveriesPerSecond);
  return {
    people,
    rooms: people / perRoom,
    ...alone,
    rawDeliveriesPerSecond,
    ratio: rounded(alone.deliveriesPerSecond / rawDeliveriesPerSecond),
    between: redis === null ? 'postgres' : 'redis',
    twoProcesses: together,
    ratioOfTwoProcesses: ratioToOne(together),
    twoProcessesOneKilled: oneKilled,
    ratioOfTwoProcessesOneKilled: ratioToOne(oneKilled),
  };
}

/** Server processes on the same database, which hear each other over Redis where there is one. */
class Servers {
  readonly #folder: string;
  readonly #redis: RedisServer | null;
  #ports: number[] = [];
  #running: ServerProcess[] = [];

  constructor(folder: string, redis: RedisServer | null) {
    this.#folder = folder;
    this.#redis = redis;
  }

  get urls(): string[] {
    return this.#running.map(({ url }) => url);
  }

  async start(processes: number): Promise<void> {
    this.#ports = [];
    while (this.#ports.length < processes) this.#ports.push(await freePort());
    this.#running = [];
    for (const port of this.#ports) this.#running.push(await this.#startAt(port));
  }

  #startAt(port: number): Promise<ServerProcess> {
    const isAlone = this.#ports.length === 1;
    return startServerProcess(port, {
      DATA_DIR: this.#folder,
      // Roads and places are of no use to a chat, and would make each start longer.
      REGION: '',
      LOG_LEVEL: 'error',
      LIVE_ADAPTER: isAlone || this.#redis !== null ? 'memory' : 'postgres',
      ...(isAlone || this.#redis === null ? {} : { REDIS_URL: this.#redis.url }),
    });
  }

  async killAndStartAgain(which: number): Promise<void> {
    await sleep(3000);
    await this.#running[which]!.kill();
    say('one process killed');
    await sleep(2000);
    this.#running[which] = await this.#startAt(this.#ports[which]!);
    say('and started again');
  }

  async stop(): Promise<void> {
    for (const server of this.#running) await server.stop();
  }

  async kill(): Promise<void> {
    for (const server of this.#running) await server.kill();
  }
}

interface Talk extends Outcome {
  /** From sending a message to its appearance on another's screen, at an even pace. */
  p50Ms: number;
  p99Ms: number;
  /** Messages, each to everyone in its room, while many write at once. */
  linesPerSecond: number;
  /** Lines on the screens of those in the room: five times as many. */
  deliveriesPerSecond: number;
  /**
   * Messages that came over the socket before an earlier one, or twice; the app puts them in order and shows
   * them once.
   */
  arrivedOutOfOrder: number;
  arrivedAgain: number;
  /** Pages of rooms that people read: one at each connection, more where a gap stayed. */
  pagesRead: number;
  /** How many people each process has while the throughput is measured. */
  peopleAtProcesses: number[];
}

/** The times that messages took, as people saw them. */
function arrivalsOf(crowd: readonly ChatClient[]) {
  const sum = (of: (person: ChatClient) => number) => crowd.reduce((total, each) => total + of(each), 0);
  return {
    arrivedOutOfOrder: sum((each) => each.arrivedOutOfOrder),
    arrivedAgain: sum((each) => each.arrivedAgain),
    pagesRead: sum((each) => each.pagesRead),
  };
}

/**
 * Has people write at an even pace. Neighbors in turn are of different rooms; a person's next line waits for
 * the one before, as in the app.
 */
async function writeAtPace(writers: number, write: (writer: number) => Promise<void>): Promise<void> {
  const last = new Map<number, Promise<void>>();
  const began = performance.now();
  for (let turn = 0; turn < pacedMessages; turn++) {
    const writer = (turn * 7) % writers;
    last.set(
      writer,
      (last.get(writer) ?? Promise.resolve()).then(() => write(writer)),
    );
    const ahead = (turn / pacedPerSecond) * 1000 - (performance.now() - began);
    if (ahead > 1) await sleep(ahead);
  }
  await Promise.all(last.values());
}

async function talk(
  urls: readonly string[],
  writers: readonly Writer[],
  { whileTheyWrite }: { whileTheyWrite?: () => Promise<void> },
): Promise<Talk> {
  const sentAt = new Map<string, number>();
  const tookMs: number[] = [];
  let timed = true;
  const crowd = writers.map(
    ({ userId, token, roomid }, index) =>
      new ChatClient({
        urls,
        first: index,
        userId,
        token,
        roomid,
        localAddress: `127.0.0.${2 + (index % networks)}`,
        onShown: ({ text }) => {
          const began = sentAt.get(text);
          if (timed && began !== undefined && !text.startsWith(`${index}:`))
            tookMs.push(performance.now() - began);
        },
      }),
  );
  const rooms = Array.from({ length: crowd.length / perRoom }, (_, room) =>
    crowd.slice(room * perRoom, (room + 1) * perRoom),
  );
  const sentLines = new Map<number, number>();
  const write = async (writer: number) => {
    const line = sentLines.get(writer) ?? 0;
    sentLines.set(writer, line + 1);
    const text = textOf({ writer, line });
    sentAt.set(text, performance.now());
    await crowd[writer]!.say(text);
  };
  try {
    await inTurns(crowd.length, 50, (index) => crowd[index]!.start());
    say(`${crowd.filter(({ connected }) => connected).length} people are connected`);

    const happens = whileTheyWrite?.();
    await Promise.all([writeAtPace(crowd.length, write), happens]);
    await settled(rooms, sentLines);
    timed = false;

    const peopleAtProcesses = urls.map((url) => crowd.filter(({ at }) => at === url).length);
    const fastBegan = performance.now();
    await inTurns(atOnceMessages, inFlight, (turn) => write((turn * 7) % crowd.length));
    await settled(rooms, sentLines);
    const fastSeconds = (performance.now() - fastBegan) / 1000;
    return {
      ...compareScreens(rooms, sentLines),
      p50Ms: rounded(percentile(tookMs, 0.5)),
      p99Ms: rounded(percentile(tookMs, 0.99)),
      linesPerSecond: Math.round(atOnceMessages / fastSeconds),
      deliveriesPerSecond: Math.round((perRoom * atOnceMessages) / fastSeconds),
      ...arrivalsOf(crowd),
      peopleAtProcesses,
    };
  } finally {
    for (const person of crowd) person.stop();
  }
}

/**
 * Waits until every screen shows as many lines as were sent in its room, for a while: what is missing then
 * counts as lost.
 */
async function settled(
  rooms: readonly (readonly ChatClient[])[],
  sentLines: ReadonlyMap<number, number>,
): Promise<void> {
  const isComplete = (people: readonly ChatClient[], room: number) => {
    let sent = 0;
    for (let writer = room * perRoom; writer < (room + 1) * perRoom; writer++)
      sent += sentLines.get(writer) ?? 0;
    return people.every(({ shown }) => shown.length >= sent);
  };
  for (let waited = 0; waited < settleWithinMs; waited += 5) {
    if (rooms.every(isComplete)) return;
    await sleep(5);
  }
}

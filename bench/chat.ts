import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '../server/platform/database/database-folder.ts';
import { databaseOf } from '../server/platform/database/db.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { ChatClient } from '../server/testing/chat-client.ts';
import { openRedisServer } from '../server/testing/redis-server.ts';
import { freePort, startServerProcess, type ServerProcess } from '../server/testing/server-process.ts';
import { drawCrowd, type Writer } from './chat/crowd.ts';
import { echoDeliveriesPerSecond } from './chat/echo.ts';
import { inTurns } from './chat/in-turns.ts';
import { compareScreens, textOf, type Outcome } from './chat/screens.ts';
import { percentile, rounded, say } from './bench-app.ts';

const people = 1000;
const perRoom = 5;
/**
 * The server takes 500 sockets of one network: the people come from so many loopback addresses, which Linux
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
const giveUpAfterMs = 8 * 60_000;

/**
 * 1,000 people with the app open, in 200 rooms of five, talk over one real server process: at an even pace
 * for the times, then as fast as 64 at a time can for the throughput, beside a bare socket.io server with the
 * same crowd; and once more over two processes, one of which is killed and started again while they write.
 */
export async function benchChat(): Promise<Record<string, unknown>> {
  // Whatever hangs, the run ends; the servers it started end with their database.
  const giveUp = setTimeout(() => {
    say('Gave up after eight minutes.');
    process.exit(1);
  }, giveUpAfterMs);
  const folder = scratchFolder('sameway-bench-');
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, { onError: () => {} });
  const started: ServerProcess[] = [];
  const redis = await openRedisServer();
  const start = async (port: number) => {
    // Roads and places are of no use to a chat, and would make each start longer.
    const server = await startServerProcess(port, {
      DATA_DIR: folder,
      REGION: '',
      LOG_LEVEL: 'error',
      LIVE_ADAPTER: ports.length > 1 && redis === null ? 'postgres' : 'memory',
      ...(ports.length > 1 && redis !== null ? { REDIS_URL: redis.url } : {}),
    });
    started.push(server);
    return server;
  };
  let ports: number[] = [];
  try {
    const writers = await drawCrowd(databaseOf(database.pool), 2 * people, perRoom);
    const bare = () => echoDeliveriesPerSecond({ people, perRoom, messages: atOnceMessages, inFlight });
    const bareBefore = await bare();
    say(`bare socket.io: ${bareBefore} deliveries a second`);

    ports = [await freePort()];
    const one = await start(ports[0]!);
    const alone = await talk([one.url], writers.slice(0, people), {});
    await one.stop();
    say(`one process: ${JSON.stringify(alone)}`);
    // Before and after: what else the machine does changes within a minute.
    const rawDeliveriesPerSecond = Math.round((bareBefore + (await bare())) / 2);

    ports = [await freePort(), await freePort()];
    const servers = [await start(ports[0]!), await start(ports[1]!)];
    const together = await talk(
      servers.map(({ url }) => url),
      writers.slice(people),
      {
        async whileTheyWrite() {
          await sleep(3000);
          await servers[1]!.kill();
          say('one process killed');
          await sleep(2000);
          servers[1] = await start(ports[1]!);
          say('and started again');
        },
      },
    );
    for (const server of servers) await server.stop();
    say(`two processes: ${JSON.stringify(together)}`);
    return {
      people,
      rooms: people / perRoom,
      ...alone,
      rawDeliveriesPerSecond,
      ratio: rounded(alone.deliveriesPerSecond / rawDeliveriesPerSecond),
      between: redis === null ? 'postgres' : 'redis',
      twoProcessesOneKilled: together,
      ratioOfTwoProcesses: rounded(together.deliveriesPerSecond / alone.deliveriesPerSecond),
    };
  } finally {
    for (const server of started) await server.kill();
    await redis?.stop();
    await database.close();
    fs.rmSync(folder, { recursive: true, force: true });
    clearTimeout(giveUp);
  }
}

interface Talk extends Outcome {
  /** From sending a message to its standing on another's screen, at an even pace. */
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

    // Neighbors in turn are of different rooms; a person's next line waits for the one before, as in the app.
    const last = new Map<number, Promise<void>>();
    const happens = whileTheyWrite?.();
    const began = performance.now();
    for (let turn = 0; turn < pacedMessages; turn++) {
      const writer = (turn * 7) % crowd.length;
      last.set(
        writer,
        (last.get(writer) ?? Promise.resolve()).then(() => write(writer)),
      );
      const ahead = (turn / pacedPerSecond) * 1000 - (performance.now() - began);
      if (ahead > 1) await sleep(ahead);
    }
    await Promise.all([...last.values(), happens]);
    await settled(rooms, sentLines);
    timed = false;

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
      arrivedOutOfOrder: crowd.reduce((sum, each) => sum + each.arrivedOutOfOrder, 0),
      arrivedAgain: crowd.reduce((sum, each) => sum + each.arrivedAgain, 0),
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

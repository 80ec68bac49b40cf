import net from 'node:net';
import { createAdapter as createPostgresAdapter } from '@socket.io/postgres-adapter';
import { createAdapter as createRedisAdapter } from '@socket.io/redis-adapter';
import type { RedisClientType } from '@redis/client';
import type { Pool } from 'pg';
import type { Server } from 'socket.io';
import { beat, openPoolBeside, type Heartbeat } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import { openRedis } from '../redis.ts';

/** PostgreSQL refuses a notification of 8,000 bytes; longer ones go through the table of attachments. */
const longestNotificationBytes = 7900;

/** Passes what one process says with `io.serverSideEmit` on to the others, in the order it is said. */
export interface Channel {
  adapter: NonNullable<Parameters<Server['adapter']>[0]>;
  close(): Promise<void>;
}

interface ChannelOptions {
  log: Log;
  heartbeat: Heartbeat;
  /** Called each time the process begins to hear the others, the first time too: it missed all before. */
  onGap: () => void;
}

/** Opens the channel over Redis or Valkey at an address, or over the database of a pool. */
export const openChannel = (between: string | Pool, options: ChannelOptions): Channel =>
  typeof between === 'string' ? openRedisChannel(between, options) : openDatabaseChannel(between, options);

/** Two connections of its own: one listens, one publishes, so that messages keep their order. */
function openDatabaseChannel(pool: Pool, { log, heartbeat, onGap }: ChannelOptions): Channel {
  const onError = (error: Error) => log.warn({ err: error }, 'the channel to the other processes broke');
  let socket = new net.Socket();
  const stream = () => (socket = new net.Socket());
  const listening = openPoolBeside(pool, { max: 1, name: 'sameway live', stream }, onError);
  const publishing = openPoolBeside(pool, { max: 1, name: 'sameway live, telling' }, onError);
  listening.on('connect', (client) => {
    // The adapter asks for another connection when this one has ended, but does not give it back.
    client.once('end', () => client.release(true));
    // A silent connection is cut here, so that the adapter asks for another.
    const stop = beat(client, heartbeat, () => socket.destroy());
    client.once('end', stop);
    // A connection answers queries in order: this one is answered after the adapter's LISTEN.
    setImmediate(() => void client.query('select 1').then(onGap, onError));
  });
  // The adapter works on one pool: it takes its connection from the first and queries the second.
  const bothPools = Object.assign(listening, { query: publishing.query.bind(publishing) });
  return {
    adapter: createPostgresAdapter(bothPools, {
      payloadThreshold: longestNotificationBytes,
      errorHandler: onError,
    }),
    async close() {
      await Promise.all([listening.end(), publishing.end()]);
    },
  };
}

/** Two connections, as a subscribed one cannot publish. */
function openRedisChannel(url: string, { log, onGap }: ChannelOptions): Channel {
  let isClosing = false;
  const onError = (error: unknown) => {
    if (!isClosing) log.warn({ err: error }, 'the channel to the other processes broke');
  };
  const [listening, publishing] = [openRedis(url), openRedis(url)];
  listening.on('ready', onGap);
  for (const client of [listening, publishing]) {
    client.on('error', onError);
    client.connect().catch(onError);
  }
  // The adapter awaits no command. A message that is lost is read later: the others hear of a gap.
  const caught = (client: RedisClientType) => {
    const run =
      <Args extends unknown[]>(command: (...args: Args) => Promise<unknown>) =>
      (...args: Args) =>
        void command.apply(client, args).catch(onError);
    return {
      publish: run(client.publish),
      subscribe: run(client.subscribe),
      pSubscribe: run(client.pSubscribe),
      unsubscribe: run(client.unsubscribe),
      pUnsubscribe: run(client.pUnsubscribe),
      on: client.on.bind(client),
      off: client.off.bind(client),
    };
  };
  return {
    adapter: createRedisAdapter(caught(publishing), caught(listening), { key: 'sameway:live' }),
    async close() {
      isClosing = true;
      for (const client of [listening, publishing]) client.destroy();
    },
  };
}

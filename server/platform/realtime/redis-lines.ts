import { createClient, type RedisClientType } from '@redis/client';
import { createAdapter, type RedisAdapter } from '@socket.io/redis-adapter';
import { secondMs } from '../clock.ts';
import type { Log } from '../observability/log.ts';
import { personIn } from './rooms.ts';

/** A connection is asked so often whether it still answers, and given up after the longer time. */
const pingEveryMs = 5 * secondMs;
const silentForMs = 15 * secondMs;
const longestPauseMs = 2 * secondMs;

/** What one process says to the others: who says it, a packet, and the rooms that it is for. */
type Heard = [uid: string, packet: { data?: readonly unknown[] }, of: { rooms?: readonly string[] }];

/**
 * Two connections to Redis or Valkey: one listens, one tells, so that what one process says arrives in the
 * order it was said. When the listening one was broken, `onGap` is called once it hears again.
 */
export function openRedisLines(
  url: string,
  {
    log,
    beforeNews,
    onGap,
  }: { log: Log; beforeNews: (userIds: readonly string[]) => void; onGap: () => void },
) {
  let isClosing = false;
  const onError = (error: unknown) => {
    if (!isClosing) log.warn({ err: error }, 'a line to the other processes broke');
  };
  const open = (): RedisClientType =>
    createClient({
      url,
      pingInterval: pingEveryMs,
      socket: {
        socketTimeout: silentForMs,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, longestPauseMs),
      },
    });
  const [listening, telling] = [open(), open()];
  let connections = 0;
  listening.on('ready', () => {
    connections += 1;
    if (connections > 1) onGap();
  });
  for (const client of [listening, telling]) {
    client.on('error', onError);
    client.connect().catch(onError);
  }
  const { tells, listens } = forAdapter(telling, listening, onError);
  let own = '';
  const parser = {
    encode: (said: unknown) => JSON.stringify(said),
    decode(said: Buffer): unknown {
      const text = said.toString();
      // Redis gives back what this process has said itself; the adapter leaves it by its first part.
      if (text.startsWith(own)) return JSON.parse(`${own}]`);
      const heard = JSON.parse(text) as Heard;
      if (heard[1].data?.[0] === 'changed') beforeNews((heard[2].rooms ?? []).map(personIn));
      return heard;
    },
  };
  const adapter = createAdapter(tells, listens, { key: 'sameway', parser });
  // Called as a constructor.
  function adapterOf(namespace: unknown): RedisAdapter {
    const made = adapter(namespace);
    own = `[${JSON.stringify(made.uid)}`;
    return made;
  }
  return {
    adapter: adapterOf,
    async close() {
      isClosing = true;
      for (const client of [listening, telling]) client.destroy();
    },
  };
}

/**
 * What the adapter uses of the two connections. It awaits nothing of what it asks: what could not be told is
 * read later, since the others hear of a gap when their line stands again.
 */
function forAdapter(telling: RedisClientType, listening: RedisClientType, onError: (error: unknown) => void) {
  const asked =
    <A extends unknown[]>(ask: (...given: A) => Promise<unknown>) =>
    (...given: A): void =>
      void ask(...given).catch(onError);
  const tells = {
    publish: asked((channel: string, said: string) => telling.publish(channel, said)),
    pSubscribe: () => undefined,
    on: telling.on.bind(telling),
    off: telling.off.bind(telling),
  };
  const listens = {
    pSubscribe: asked(listening.pSubscribe.bind(listening)),
    subscribe: asked(listening.subscribe.bind(listening)),
    pUnsubscribe: asked(listening.pUnsubscribe.bind(listening)),
    unsubscribe: asked(listening.unsubscribe.bind(listening)),
    on: listening.on.bind(listening),
    off: listening.off.bind(listening),
  };
  return { tells, listens };
}

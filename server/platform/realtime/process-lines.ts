import net from 'node:net';
import { createAdapter, type PostgresAdapter } from '@socket.io/postgres-adapter';
import type { Pool } from 'pg';
import { beat, openPoolBeside, type Heartbeat } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import { personIn, type OnNews } from './rooms.ts';

/** PostgreSQL refuses a notification of 8,000 bytes; longer ones go through the table of attachments. */
const longestNotificationBytes = 7900;

interface LineOptions {
  log: Log;
  /** Called with what another process is about to tell here. */
  onNews: OnNews;
  heartbeat: Heartbeat;
  onGap: () => void;
}

/**
 * What one process says to the others, as the adapter writes it: news has a packet and the rooms that it is
 * for.
 */
interface Heard {
  data?: { packet?: { data?: readonly unknown[] }; opts?: { rooms?: readonly string[] } };
}

/**
 * Two lines of its own to the database: one listens, one tells, so that what one process says arrives in the
 * order it was said. Each time the listening line stands, the first time too, `onGap` is called: what was
 * said before is unknown.
 */
export function openProcessLines(pool: Pool, { log, onNews, heartbeat, onGap }: LineOptions) {
  const onError = (error: Error) => log.warn({ err: error }, 'a line to the other processes broke');
  let line = new net.Socket();
  const stream = () => (line = new net.Socket());
  const listening = openPoolBeside(pool, { max: 1, name: 'sameway live', stream }, onError);
  const telling = openPoolBeside(pool, { max: 1, name: 'sameway live, telling' }, onError);
  listening.on('connect', (client) => {
    // The adapter asks for another connection when this one has ended, but does not give it back.
    client.once('end', () => client.release(true));
    // One that has gone silent is cut here, so that the adapter asks for another.
    const stop = beat(client, heartbeat, () => line.destroy());
    client.once('end', stop);
    // Questions wait in line: this one is answered after the adapter's LISTEN.
    setImmediate(() => void client.query('select 1').then(onGap, onError));
  });
  // The adapter works on one pool: connections are taken from the first, questions asked on the second.
  const adapter = createAdapter(Object.assign(listening, { query: telling.query.bind(telling) }), {
    payloadThreshold: longestNotificationBytes,
    errorHandler: onError,
  });
  // Called as a constructor.
  function adapterOf(namespace: unknown): PostgresAdapter {
    const made: PostgresAdapter = adapter(namespace);
    // The adapter's own way to hear the others, which its type keeps private.
    const hears = made as unknown as { onMessage(heard: Heard, offset?: string): void };
    const onMessage = hears.onMessage.bind(made);
    hears.onMessage = (heard, offset) => {
      const [event, said] = heard.data?.packet?.data ?? [];
      if (event !== undefined)
        onNews((heard.data?.opts?.rooms ?? []).map(personIn), event as Parameters<OnNews>[1], said);
      onMessage(heard, offset);
    };
    return made;
  }
  return {
    adapter: adapterOf,
    async close() {
      await Promise.all([listening.end(), telling.end()]);
    },
  };
}

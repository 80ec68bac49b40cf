import { randomUUID } from 'node:crypto';
import { Adapter, type BroadcastOptions } from 'socket.io-adapter';
import type { Log } from '../observability/log.ts';
import { openRedis } from '../redis.ts';
import { personIn, type OnNews } from './rooms.ts';

/** What processes say to each other, one after another on one channel. */
const channel = 'sameway:live';

/** An event for some rooms, as it goes to a socket. */
interface Packet {
  data?: unknown[];
  text?: string;
}

/** What one process says to the others: an event as text, or that sockets are to be closed. */
interface Said {
  kind: 'event' | 'close';
  rooms: readonly string[];
  text: string;
}

/**
 * Two connections to Redis or Valkey: one listens, one tells, so that what one process says arrives in the
 * order it was said. What is said in one turn of the event loop is one message, and an event is written once:
 * others pass its text on to their sockets as it is. Each time the listening connection stands, the first
 * time too, `onGap` is called.
 */
export function openRedisLines(
  url: string,
  { log, onNews, onGap }: { log: Log; onNews: OnNews; onGap: () => void },
) {
  let isClosing = false;
  const onError = (error: unknown) => {
    if (!isClosing) log.warn({ err: error }, 'a line to the other processes broke');
  };
  const [listening, telling] = [openRedis(url), openRedis(url)];
  listening.on('ready', onGap);
  for (const client of [listening, telling]) {
    client.on('error', onError);
    client.connect().catch(onError);
  }
  const own = randomUUID();
  let waiting: string[] = [];
  const tell = (said: Said) => {
    waiting.push(lineOf(said));
    if (waiting.length > 1) return;
    setImmediate(() => {
      // What could not be told is read later: the others hear of a gap when their line stands again.
      telling.publish(channel, [own, ...waiting].join('\n')).catch(onError);
      waiting = [];
    });
  };
  let adapter: LinesAdapter | null = null;
  const hear = (message: string) => {
    // Redis gives back what this process has said itself.
    if (message.startsWith(own)) return;
    for (const line of message.split('\n').slice(1)) {
      const said = saidIn(line);
      if (said.kind === 'event') onNews(said.rooms.map(personIn), ...eventIn(said.text));
      adapter?.hear(said);
    }
  };
  listening.subscribe(channel, hear).then(onGap, onError);
  // Called as a constructor.
  function adapterOf(namespace: unknown): Adapter {
    adapter = new LinesAdapter(namespace, tell);
    return adapter;
  }
  return {
    adapter: adapterOf,
    async close() {
      isClosing = true;
      for (const client of [listening, telling]) client.destroy();
    },
  };
}

/** How the protocol of socket.io writes an event of the namespace that all sockets are in. */
const textOf = ({ data }: Packet): string => `2${JSON.stringify(data)}`;
const eventIn = (text: string) => JSON.parse(text.slice(1)) as [Parameters<OnNews>[1], unknown];

/** JSON and names of rooms have no tabs and no line breaks of their own. */
const lineOf = ({ kind, rooms, text }: Said): string => [kind, rooms.join(' '), text].join('\t');

function saidIn(line: string): Said {
  const [kind = '', rooms = '', text = ''] = line.split('\t');
  return { kind: kind as Said['kind'], rooms: rooms === '' ? [] : rooms.split(' '), text };
}

/** Tells the sockets of this process, and the other processes. */
class LinesAdapter extends Adapter {
  readonly #tell: (said: Said) => void;

  constructor(namespace: unknown, tell: (said: Said) => void) {
    super(namespace);
    this.#tell = tell;
    // Packets that come here are written already; the library makes the frame that all sockets get of it.
    Object.assign(this, { encoder: { encode: ({ text }: Packet) => [text] } });
  }

  override broadcast(packet: Packet, options: BroadcastOptions): void {
    const text = textOf(packet);
    if (options.flags?.local !== true) this.#tell({ kind: 'event', rooms: [...options.rooms], text });
    if (this.#hasSocketsIn(options.rooms)) super.broadcast({ ...packet, text }, options);
  }

  override disconnectSockets(options: BroadcastOptions, isClosed: boolean): void {
    this.#tell({ kind: 'close', rooms: [...options.rooms], text: isClosed ? 'whole' : '' });
    super.disconnectSockets(options, isClosed);
  }

  /** Does what another process has said. */
  hear({ kind, rooms, text }: Said): void {
    if (!this.#hasSocketsIn(rooms)) return;
    const options = { rooms: new Set(rooms), except: new Set<string>() };
    if (kind === 'close') super.disconnectSockets(options, text === 'whole');
    else super.broadcast({ text }, options);
  }

  /** Whether a socket of these rooms, or with none of all, is at this process: else no frame is made. */
  #hasSocketsIn(rooms: Iterable<string>): boolean {
    let isForAll = true;
    for (const room of rooms) {
      if (this.rooms.has(room)) return true;
      isForAll = false;
    }
    return isForAll;
  }
}

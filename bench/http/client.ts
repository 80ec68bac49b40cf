import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The results of one round of requests. */
export interface Round {
  requests: number;
  seconds: number;
  /** Of every request, in milliseconds. */
  latenciesMs: Float64Array;
  /** Answers that were not the one expected. */
  wrong: number;
}

export interface RoundWish {
  port: number;
  request: string;
  /** Words that every answer must hold. */
  expected: string;
  connections: number;
  seconds: number;
}

/**
 * Sends one request over and over, on connections that stay open, each after the answer to the one before.
 * Written on bare sockets and run in a thread of its own, so that the client takes as little as it can of the
 * machine it shares.
 */
function ask({ port, request, expected, connections, seconds }: RoundWish): Promise<Round> {
  const latencies: number[] = [];
  const bytes = Buffer.from(request);
  const wanted = Buffer.from(expected);
  let wrong = 0;
  const began = performance.now();
  const endsAt = began + seconds * 1000;

  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let held = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        if (performance.now() >= endsAt) {
          socket.destroy();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(bytes);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const length = lengthOf(held);
        if (length === null || held.length < length) return;
        latencies.push(performance.now() - sentAt);
        if (!held.includes(wanted)) wrong += 1;
        held = Buffer.alloc(0);
        send();
      });
    });

  return Promise.all(Array.from({ length: connections }, one)).then(() => ({
    requests: latencies.length,
    seconds: (performance.now() - began) / 1000,
    latenciesMs: Float64Array.from(latencies),
    wrong,
  }));
}

/** How long a whole answer is, once its head is there. */
function lengthOf(held: Buffer): number | null {
  const head = held.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = /content-length: (\d+)/i.exec(held.toString('latin1', 0, head))?.[1];
  if (length === undefined) throw new Error('An answer came without its length.');
  return head + 4 + Number(length);
}

const found = await ask(workerData as RoundWish);
parentPort?.postMessage(found);

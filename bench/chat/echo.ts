import { fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { EchoReady } from './echo-server.ts';
import { inTurns } from './in-turns.ts';

/**
 * How many messages a second a bare socket.io server delivers to the same crowd, each to everyone in its
 * room; it stores nothing.
 */
export async function echoDeliveriesPerSecond(crowd: {
  people: number;
  perRoom: number;
  messages: number;
  inFlight: number;
}): Promise<number> {
  const server = fork(path.join(import.meta.dirname, 'echo-server.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const port = await new Promise<EchoReady>((resolve) => server.once('message', (at) => resolve(Number(at))));
  const sockets: Socket[] = [];
  let heard = 0;
  try {
    for (let index = 0; index < crowd.people; index++) {
      const auth = { room: String(Math.floor(index / crowd.perRoom)) };
      const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], auth, forceNew: true });
      socket.on('message', () => {
        heard += 1;
      });
      sockets.push(socket);
      if (index % 50 === 49) await Promise.all(sockets.map(connected));
    }
    const began = performance.now();
    await inTurns(crowd.messages, crowd.inFlight, async (turn) => {
      await sockets[turn % sockets.length]!.emitWithAck(
        'say',
        `${turn} something that people say to each other`,
      );
    });
    const expected = crowd.messages * crowd.perRoom;
    const isComplete = () => heard === expected;
    for (let waited = 0; !isComplete() && waited < 10_000; waited += 5) await sleep(5);
    if (!isComplete()) throw new Error(`The echo lost ${expected - heard} messages.`);
    return Math.round(expected / ((performance.now() - began) / 1000));
  } finally {
    for (const socket of sockets) socket.disconnect();
    server.disconnect();
  }
}

const connected = (socket: Socket): Promise<void> =>
  socket.connected ? Promise.resolve() : new Promise((resolve) => socket.once('connect', () => resolve()));

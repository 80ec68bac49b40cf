import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io as connectTo, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createGatheredWrites } from './gathered-writes.ts';
import type { RealtimeServer, RealtimeSocket } from './socket-sessions.ts';

const http = createServer();
const io: RealtimeServer = new Server(http, { transports: ['websocket'], serveClient: false });
let client: Socket;
let socket: RealtimeSocket;
const heard: string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const opened = new Promise<RealtimeSocket>((resolve) => void io.on('connection', resolve));
  io.on('connection', createGatheredWrites());
  client = connectTo(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, {
    transports: ['websocket'],
    reconnection: false,
  });
  client.on('typing', ({ userId }: { userId: string }) => heard.push(userId));
  socket = await opened;
});
afterAll(async () => {
  client.disconnect();
  await io.close();
});

test('what is said to a socket in one turn is one write, in order; what is said later is another', async () => {
  const { socket: stream } = socket.conn.request;
  const writes = [vi.spyOn(stream, '_write'), vi.spyOn(stream, '_writev' as '_write')];
  const say = (word: string) => socket.emit('typing', { roomid: '', userId: word });
  const told = ['1', '2', '3', '4', '5'];
  // Some as one packet for several sockets, which the library writes in another way than one of its own.
  for (const word of told)
    if (Number(word) % 2 === 0) say(word);
    else io.emit('typing', { roomid: '', userId: word });
  await vi.waitFor(() => expect(heard).toEqual(told));
  expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
  say('6');
  await vi.waitFor(() => expect(heard).toEqual([...told, '6']));
  expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(2);
});

test('what is said right before a socket is closed is still heard', async () => {
  const closed = new Promise((resolve) => client.once('disconnect', resolve));
  socket.emit('typing', { roomid: '', userId: 'last' });
  socket.disconnect(true);
  await closed;
  expect(heard.at(-1)).toBe('last');
});

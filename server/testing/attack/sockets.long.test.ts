import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { msgList, sendMessage } from '#contract/chat/endpoints.ts';
import { realtimePath } from '#contract/realtime.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { hourMs } from '../../platform/clock.ts';
import { openAccessFixture, type AccessFixture } from '../access-fixture.ts';
import { openLive, type LiveClient } from '../chat-client.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { hostileTexts } from './hostile.ts';
import { printCounts } from './report.ts';

// Attacks by sockets: open them without permission, send too much, reach others' rooms, open very many.

let app: TestApp;
let url = '';
let fixture: AccessFixture;
const opened: (LiveClient | WebSocket)[] = [];
const counts: Record<string, number> = {};
const count = (what: string, by = 1) => (counts[what] = (counts[what] ?? 0) + by);
const uncaught: unknown[] = [];
const noteUncaught = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  app = await openTestApp({ withLive: true, startsAt: new Date('2026-11-23T17:00:00Z') });
  fixture = await openAccessFixture(app, 'joined');
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  process.on('unhandledRejection', noteUncaught);
});
afterAll(async () => {
  process.off('unhandledRejection', noteUncaught);
  for (const socket of opened) socket.close();
  await app.platform.realtime.close();
  await app.close();
  printCounts('sockets', counts);
  expect(uncaught).toEqual([]);
});

/** The result of opening a socket: 'open', or the reason of the refusal. */
function open(token: unknown): Promise<{ end: string; socket: LiveClient }> {
  const socket = openLive(url, token as string);
  opened.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve({ end: 'open', socket }));
    socket.once('connect_error', ({ message }) => resolve({ end: message, socket }));
  });
}

/** Expects the server to answer a call in time, whatever the sockets do. */
async function expectAnswer(): Promise<void> {
  const began = performance.now();
  await app.ok(fixture.people.stranger, readProfile, {});
  expect(performance.now() - began).toBeLessThan(2000);
}

test('no forged, foreign or expired token opens a socket', async () => {
  const ended = await app.person('Ended');
  await app.pool.query('update sessions set expires_at = $2 where user_id = $1', [
    ended.id,
    new Date(app.clock.now().getTime() - hourMs),
  ]);
  const { token } = fixture.people.driver;
  const tokens: unknown[] = [
    undefined,
    null,
    '',
    0,
    true,
    [token],
    { token },
    ended.token,
    `${token}x`,
    token.slice(0, -1),
    token.toUpperCase(),
    ` ${token}`,
    `Bearer ${token}`,
    fixture.people.driver.id,
    randomUUID(),
    'x'.repeat(10_000),
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`,
    ...hostileTexts,
  ];
  for (const each of tokens) {
    expect((await open(each)).end, JSON.stringify(each)).not.toBe('open');
    count('forged tokens');
  }
});

/** Whether a page of this origin can open a socket; the client library cannot set an origin. */
function isOpenTo(origin: string): Promise<boolean> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    origin,
  };
  return new Promise((resolve, reject) => {
    http
      .get(`${url}${realtimePath}/?EIO=4&transport=websocket`, { headers })
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve(true);
      })
      .on('response', (response) => {
        response.resume();
        resolve(false);
      })
      .on('error', reject);
  });
}

test('a page of another site opens no socket', async () => {
  const { host } = new URL(url);
  for (const origin of [
    'https://evil.example',
    `https://${host}.evil.example`,
    `http://evil.example:${new URL(url).port}`,
    'null',
    'file://',
    '',
    `http://${host}@evil.example`,
  ]) {
    expect(await isOpenTo(origin), origin).toBe(false);
    count('foreign pages');
  }
  expect(await isOpenTo(url)).toBe(true);
  expect(await isOpenTo(app.platform.env.publicUrl)).toBe(true);
});

test('oversized frames and malformed packets close only their own socket', async () => {
  const address = `${url.replace('http', 'ws')}${realtimePath}/?EIO=4&transport=websocket`;
  const { token } = fixture.people.stranger;
  const packets = [
    'x'.repeat(16_385),
    'x'.repeat(1_000_000),
    'x'.repeat(20_000_000),
    new Uint8Array(17_000),
    new Uint8Array(5_000_000),
    '',
    '0',
    '1',
    '2probe',
    '3',
    '5',
    '6',
    '9',
    'z',
    '4',
    '49',
    '42',
    '42[',
    '42[]',
    '42{}',
    '42[1]',
    '42[null]',
    '42["send"]',
    '42["send",{"__proto__":{"x":1}}]',
    '42["__proto__",{}]',
    '42["disconnect"]',
    '42["connect_error",{}]',
    '42["error"]',
    '42["newListener",1]',
    '421["read",{},{}]',
    '42999999999999999999["send",{}]',
    '43[]',
    '4399[]',
    '44{"message":"x"}',
    '451-["x",{"_placeholder":true,"num":0}]',
    '4599999999-["x",{"_placeholder":true,"num":99}]',
    '40/admin,',
    '40/../,{}',
    `40/${'n'.repeat(5000)},`,
    '41',
    `42["typing",${'['.repeat(7000)}${']'.repeat(7000)}]`,
    ...hostileTexts.map((text) => `42["typing",{"roomid":${JSON.stringify(text)}}]`),
    ...hostileTexts.map((text) => `42["token",{"token":${JSON.stringify(text)}}]`),
    ...hostileTexts.map((text) => `421["send",{"roomid":${JSON.stringify(text)},"clientId":1}]`),
  ];
  for (const packet of packets) {
    const socket = new WebSocket(address);
    opened.push(socket);
    await new Promise((resolve) => {
      socket.addEventListener('error', resolve);
      socket.addEventListener('open', () => {
        socket.send(`40${JSON.stringify({ token })}`);
        setTimeout(() => socket.readyState === WebSocket.OPEN && socket.send(packet), 30);
        setTimeout(resolve, 80);
      });
    });
    socket.close();
    count('odd packets');
  }
  await expectAnswer();
});

test('a socket cannot reach other people’s rooms, nor change its person', async () => {
  const { driver, passenger, stranger } = fixture.people;
  const roomid = fixture.ride.id;
  const [own, foreign] = [await open(passenger.token), await open(stranger.token)];
  expect([own.end, foreign.end]).toEqual(['open', 'open']);
  const heard: string[] = [];
  foreign.socket.onAny((event: string) => heard.push(event));
  const typed: unknown[] = [];
  own.socket.on('typing', (said) => typed.push(said));
  const before = await app.ok(driver, msgList, { roomid });
  foreign.socket.emit('token', { token: driver.token });
  foreign.socket.emit('token', { token: passenger.token });
  for (const event of ['join', 'subscribe', 'room', 'connection', 'changed', 'message', 'position'])
    (foreign.socket as { emit: (event: string, ...said: unknown[]) => void }).emit(event, roomid, {
      roomid,
      userId: driver.id,
    });
  foreign.socket.emit('typing', { roomid });
  const line = { roomid, clientId: randomUUID(), text: 'Let me in' };
  const said = await foreign.socket.timeout(5000).emitWithAck('send', line);
  expect(said).toMatchObject({ code: 404 });
  const mark = await foreign.socket.timeout(5000).emitWithAck('read', { roomid, seq: 1 });
  expect(mark).toMatchObject({ code: 404 });
  await app.ok(driver, sendMessage, { roomid, clientId: randomUUID(), text: 'For two alone' });
  await sleep(1000);
  expect(heard).toEqual([]);
  expect(typed).toEqual([]);
  const after = await app.ok(driver, msgList, { roomid });
  expect(after.messages.length).toBe(before.messages.length + 1);
  count('tries at a foreign room', 12);
});

test('a person keeps twenty of three hundred sockets, and a socket without a session is closed', async () => {
  const many = await app.person('Many');
  const ends = await Promise.all(Array.from({ length: 300 }, () => open(many.token)));
  expect(ends.filter(({ end }) => end === 'open')).toHaveLength(20);
  count('sockets of one person', 300);
  for (const { socket } of ends) socket.disconnect();
  const nameless = Array.from({ length: 150 }, () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${realtimePath}/?EIO=4&transport=websocket`);
    opened.push(socket);
    return new Promise<number>((resolve) => {
      const began = performance.now();
      socket.addEventListener('close', () => resolve(performance.now() - began));
    });
  });
  await expectAnswer();
  const longest = Math.max(...(await Promise.all(nameless)));
  expect(longest).toBeLessThan(60_000);
  count('sockets without a name', nameless.length);
  counts['longest of these in s'] = Math.round(longest / 1000);
});

test('twenty thousand events at once do not block answers to others', async () => {
  const { socket } = await open((await app.person('Loud')).token);
  for (let round = 0; round < 20_000; round++) socket.emit('typing', { roomid: fixture.ride.id });
  count('events of one socket', 20_000);
  await expectAnswer();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  expect(heapMb).toBeLessThan(1500);
});

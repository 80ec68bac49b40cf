import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { chatMessages } from '../../schema/chat.ts';
import { notifications } from '../../schema/notifications.ts';
import { openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import type { SignalPayloads } from './signals.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

type Moved = SignalPayloads['booking.moved'];

/** An ask as its signal says it, long after the real one: it has a line in the thread and a notice. */
const asked = ({ bookingId, ride, request, people }: AccessFixture, version: number): Moved => ({
  bookingId,
  rideId: ride.id,
  requestId: request.id,
  driverId: people.driver.id,
  passengerId: people.passenger.id,
  move: 'ask',
  to: 'requesting',
  actor: 'passenger',
  version,
});
/** All of them in one transaction: they are one batch. */
const emit = ({ platform }: TestApp, moves: readonly Moved[]) =>
  platform.transact('emit', async (tx) => {
    for (const move of moves) await platform.outbox.emit(tx, 'booking.moved', move, move.rideId);
  });

const linesIn = (roomId: string) => app.platform.db.$count(chatMessages, eq(chatMessages.roomId, roomId));
const noticesOf = (userId: string, word: string) =>
  app.platform.db.$count(notifications, and(eq(notifications.userId, userId), eq(notifications.word, word)));

test('a move that is said twice has one line and one notice; another move of the same kind has its own', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver } = fixture.people;
  const [lines, notices] = [await linesIn(fixture.bookingId), await noticesOf(driver.id, 'asked')];
  await emit(app, [asked(fixture, 50), asked(fixture, 50), asked(fixture, 51)]);
  await emit(app, [asked(fixture, 50)]);
  await app.deliver();
  expect(await linesIn(fixture.bookingId)).toBe(lines + 2);
  expect(await noticesOf(driver.id, 'asked')).toBe(notices + 2);
});

test('a signal at fault is kept apart: those around it are written, and it comes again by itself', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver } = fixture.people;
  const [lines, notices] = [await linesIn(fixture.bookingId), await noticesOf(driver.id, 'asked')];
  // No thread can be opened for a booking that does not exist; the driver can still be notified of it.
  const wrong = { ...asked(fixture, 61), bookingId: crypto.randomUUID() };
  await emit(app, [asked(fixture, 60), wrong, asked(fixture, 62), asked(fixture, 63)]);
  await app.deliver();
  expect(await linesIn(fixture.bookingId)).toBe(lines + 3);
  expect(await noticesOf(driver.id, 'asked')).toBe(notices + 4);
  const { rows } = await app.platform.db.execute<{ listener: string; booking: string }>(sql`
    select payload ->> 'listener' as listener, payload #>> '{signal,payload,bookingId}' as booking
    from graphile_worker._private_jobs where payload ->> 'listener' is not null`);
  expect(rows).toEqual([{ listener: 'chat', booking: wrong.bookingId }]);
});

test('a batch that is heard again after a crash, as its cursor was not saved, is neither written nor told twice', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver } = fixture.people;
  await app.deliver();
  const [lines, notices] = [await linesIn(fixture.bookingId), await noticesOf(driver.id, 'asked')];
  const { rows: cursors } = await app.platform.db.execute<{ consumer: string; seq: string }>(
    sql`select consumer, seq from event_cursors where consumer in ('chat', 'notices', 'webhooks')`,
  );
  const told: string[] = [];
  vi.spyOn(app.platform.realtime, 'tell').mockImplementation((...all) => {
    const [userIds, event, said] = all;
    if (userIds.includes(driver.id)) told.push(`${event} ${JSON.stringify(said)}`);
  });
  await emit(app, [asked(fixture, 70)]);
  for (let heard = 1; heard <= 2; heard++) {
    await app.deliver();
    for (const { consumer, seq } of cursors)
      await app.platform.db.execute(sql`update event_cursors set seq = ${seq} where consumer = ${consumer}`);
  }
  expect(await linesIn(fixture.bookingId)).toBe(lines + 1);
  expect(await noticesOf(driver.id, 'asked')).toBe(notices + 1);
  expect(told.filter((said) => said.startsWith('message'))).toHaveLength(1);
  expect(told.filter((said) => said.includes('told.ask'))).toHaveLength(1);
});

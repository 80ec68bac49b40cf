import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { deleteAccount } from '#contract/privacy/endpoints.ts';
import { ownTickets, readOwnTicket, readTicket, reportMessage } from '#contract/tickets/endpoints.ts';
import { dayMs } from '../../platform/clock.ts';
import { chatMessages } from '../../schema/chat.ts';
import { openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { spots } from '../../testing/orders.ts';
import { exportedData } from '../../testing/export-files.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { deleteDue } from '../privacy/delete-due.ts';

let app: TestApp;
let moderator: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  moderator = await app.person('Mo', { staffRole: 'moderator' });
});
afterAll(() => app.close());

const say = async (who: TestPerson, { ride }: AccessFixture, said: object) =>
  (await app.ok(who, sendMessage, { roomid: ride.id, clientId: crypto.randomUUID(), ...said })).seq;
const reportOf = ({ ride }: AccessFixture, seq: number) => ({
  roomid: ride.id,
  seq,
  reason: 'harassment' as const,
  words: 'Please look at this.',
});
const latestTicket = async (who: TestPerson) => (await app.ok(who, ownTickets, {})).tickets[0]!;

test('a report keeps the message and ten before and after it, whatever becomes of the room', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  for (let n = 1; n <= 14; n += 1)
    await say(n % 2 === 0 ? driver : passenger, fixture, { text: `Line ${n}` });
  const seq = await say(driver, fixture, { text: 'Get lost' });
  await say(passenger, fixture, { place: spots.soquel });
  for (let n = 1; n <= 12; n += 1) await say(passenger, fixture, { text: `After ${n}` });
  await app.ok(passenger, reportMessage, reportOf(fixture, seq));
  const { id, about, kind } = await latestTicket(passenger);
  expect([kind, about?.id]).toEqual(['report', driver.id]);
  await app.platform.db.delete(chatMessages).where(eq(chatMessages.roomId, fixture.ride.id));

  const thread = await app.ok(moderator, readTicket, { id });
  expect(thread).toMatchObject({ reason: 'harassment', message: 'Please look at this.' });
  expect(thread.lines.map(({ text }) => text)).toEqual([
    ...Array.from({ length: 10 }, (_, n) => `Line ${n + 5}`),
    'Get lost',
    `${spots.soquel.name}, ${spots.soquel.detail}`,
    ...Array.from({ length: 9 }, (_, n) => `After ${n + 1}`),
  ]);
  const marked = thread.lines.filter(({ isReported }) => isReported);
  expect(marked).toMatchObject([{ text: 'Get lost', sender: { id: driver.id }, kind: 'text' }]);
  expect(JSON.stringify(thread.lines)).not.toContain(String(spots.soquel.lon));
  // Lines of others are for the team.
  expect(JSON.stringify(await app.ok(passenger, readOwnTicket, { id }))).not.toContain('Line 5');
});

test('only a message of another person in a room of one’s own is reported, once', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger, stranger } = fixture.people;
  const [own, theirs] = [
    await say(passenger, fixture, { text: 'Mine' }),
    await say(driver, fixture, { text: 'Theirs' }),
  ];
  const report = (who: TestPerson, seq: number) => app.call(who, reportMessage, reportOf(fixture, seq));
  expect(await report(stranger, theirs)).toMatchObject({ code: 404, reason: 'room.notFound' });
  expect(await report(passenger, own)).toMatchObject({ code: 404, reason: 'message.notFound' });
  expect(await report(passenger, 900)).toMatchObject({ code: 404, reason: 'message.notFound' });
  const answers = await Promise.all([report(passenger, theirs), report(passenger, theirs)]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ code }) => code === 409)!.reason).toBe('message.reported');
});

test('an export holds one’s reports and none about oneself; with an account its lines go', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  await say(passenger, fixture, { text: 'A line of mine' });
  const seq = await say(driver, fixture, { text: 'Get lost' });
  await app.ok(passenger, reportMessage, reportOf(fixture, seq));
  const { id } = await latestTicket(passenger);
  const dataOf = async (who: TestPerson) => JSON.stringify(await exportedData(app, who));
  expect(await dataOf(passenger)).toContain('Please look at this.');
  const ofDriver = await dataOf(driver);
  expect(ofDriver).not.toContain('Please look at this.');
  expect(ofDriver).not.toContain(id);
  await app.ok(driver, deleteAccount, {});
  app.clock.advance(31 * dayMs);
  await deleteDue(app.platform);
  // With the person that a report is about it goes, and what was said with it.
  expect((await app.call(moderator, readTicket, { id })).code).toBe(404);
  const left = await app.pool.query('select from reported_messages where report_id = $1', [id]);
  expect(left.rows).toEqual([]);
});

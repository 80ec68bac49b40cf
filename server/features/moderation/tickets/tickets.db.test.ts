import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerFeedback,
  handleReport,
  listAudit,
  listFeedback,
  listReadings,
  listReports,
} from '#contract/admin/endpoints.ts';
import { reportPerson } from '#contract/contacts/endpoints.ts';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { listNews } from '#contract/notifications/endpoints.ts';
import { deleteAccount } from '#contract/privacy/endpoints.ts';
import * as calls from '#contract/tickets/endpoints.ts';
import { dayMs, hourMs, minuteMs } from '../../../platform/clock.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { deleteDue } from '../../privacy/delete-due.ts';

let app: TestApp;
let admin: TestPerson;
let moderator: TestPerson;
let support: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  admin = await app.person('Ada', { staffRole: 'admin' });
  moderator = await app.person('Mo', { staffRole: 'moderator' });
  support = await app.person('Sue', { staffRole: 'support' });
});
afterAll(() => app.close());

const emailsTo = ({ email }: TestPerson) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
const log = async () => (await app.ok(admin, listAudit, {})).entries;
const write = (who: TestPerson, subject = 'The map', message = 'It is blank.') =>
  app.ok(who, postFeedback, { subject, message });
/** A person deletes their account, and its time comes. */
async function leave(who: TestPerson): Promise<void> {
  await app.ok(who, deleteAccount, {});
  app.clock.advance(31 * dayMs);
  await deleteDue(app.platform);
}
/** A person reports another one: the ticket's id. */
async function report(reporter: TestPerson, subject: TestPerson, words = 'Sells things.') {
  await app.ok(reporter, reportPerson, { id: subject.id, reason: 'spam', words });
  return (await app.ok(reporter, calls.ownTickets, {})).tickets[0]!.id;
}

test('each message and each report is a ticket with a number of its own', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const { id } = await write(mia);
  app.clock.advance(minuteMs);
  const reportId = await report(mia, leo);
  const { tickets } = await app.ok(admin, calls.listTickets, {});
  expect(tickets.slice(0, 2)).toMatchObject([
    {
      id: reportId,
      kind: 'report',
      state: 'open',
      about: { id: leo.id },
      author: { id: mia.id },
      reason: 'spam',
    },
    { id, kind: 'feedback', state: 'open', subject: 'The map', author: { id: mia.id }, assignee: null },
  ]);
  expect(tickets[0]!.number).toBeGreaterThan(tickets[1]!.number);
  expect((await app.ok(mia, calls.ownTickets, {})).tickets.map((each) => each.id)).toEqual([reportId, id]);
});

test('the team answers; the person is told, writes back, and a closed ticket is open again', async () => {
  const mia = await app.person('Mia');
  const { id } = await write(mia);
  const answered = await app.ok(support, calls.answerTicket, { id, text: 'Which phone is it?' });
  expect(answered).toMatchObject({
    state: 'waiting',
    messages: [{ kind: 'answer', writer: { id: support.id }, text: 'Which phone is it?' }],
  });
  await app.ok(support, calls.noteTicket, { id, text: 'Looks like the tiles.' });
  await app.deliver();
  const [email, ...others] = await emailsTo(mia);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ subject: 'Re: The map' });
  expect(email!.body).toContain('Which phone is it?');
  expect(email!.body).toContain(`/pages/feedback/feedback?ticket=${id}`);
  expect(email!.body).toContain('> It is blank.');
  const { news } = await app.ok(mia, listNews, {});
  expect(news).toMatchObject([
    { kind: 'support', path: `/pages/feedback/feedback?ticket=${id}`, read: false },
  ]);
  expect(news[0]!.title).toBe('You have an answer from the Sameway team');

  const own = await app.ok(mia, calls.readOwnTicket, { id });
  expect(own.messages).toEqual([
    { id: expect.any(String), byTeam: true, text: 'Which phone is it?', at: expect.any(String) },
  ]);
  expect(JSON.stringify(own)).not.toContain(support.id);
  const replied = await app.ok(mia, calls.replyToTeam, { id, text: 'A Pixel.' });
  expect(replied).toMatchObject({ state: 'open', messages: [{ byTeam: true }, { byTeam: false }] });

  await app.ok(support, calls.closeTicket, { id });
  expect((await app.ok(mia, calls.readOwnTicket, { id })).state).toBe('closed');
  expect((await app.ok(mia, calls.replyToTeam, { id, text: 'It is back!' })).state).toBe('open');
  const thread = await app.ok(support, calls.readTicket, { id });
  expect(thread.messages.map(({ kind }) => kind)).toEqual(['answer', 'note', 'reply', 'reply']);
  expect(thread).toMatchObject({ email: mia.email, firstName: 'Mia', message: 'It is blank.', lines: [] });
  expect((await log()).slice(0, 3).map(({ action, note }) => [action, note])).toEqual([
    ['ticket.closed', `#${thread.number}`],
    ['ticket.noted', `#${thread.number}`],
    ['ticket.answered', `#${thread.number}`],
  ]);
});

test('a person writes back ten times an hour, and up to the length of feedback', async () => {
  const mia = await app.person('Mia');
  const { id } = await write(mia);
  const reply = (text: string) => app.call(mia, calls.replyToTeam, { id, text });
  expect(await reply('x'.repeat(4001))).toMatchObject({
    code: 422,
    data: { fields: { text: expect.any(String) } },
  });
  expect((await reply(' ')).code).toBe(422);
  for (let n = 0; n < 10; n += 1) expect((await reply(`No. ${n}`)).code).toBe(200);
  expect((await reply('Eleven')).code).toBe(429);
  app.clock.advance(hourMs + minuteMs);
  expect((await reply('Eleven')).code).toBe(200);
});

test('another person’s ticket is not found; nor is a report for support, and a message for moderators', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const { id } = await write(mia);
  const reportId = await report(mia, leo);
  for (const each of [id, reportId]) {
    expect((await app.call(leo, calls.readOwnTicket, { id: each })).reason).toBe('ticket.notFound');
    expect((await app.call(leo, calls.replyToTeam, { id: each, text: 'x' })).reason).toBe('ticket.notFound');
  }
  expect((await app.ok(leo, calls.ownTickets, {})).tickets).toEqual([]);
  const deeds = (who: TestPerson, ticketId: string) => [
    app.call(who, calls.readTicket, { id: ticketId }),
    app.call(who, calls.ticketAssignees, { id: ticketId }),
    app.call(who, calls.assignTicket, { id: ticketId, from: null, to: who.id }),
    app.call(who, calls.answerTicket, { id: ticketId, text: 'x' }),
    app.call(who, calls.noteTicket, { id: ticketId, text: 'x' }),
    app.call(who, calls.closeTicket, { id: ticketId, outcome: 'x' }),
    app.call(who, calls.reopenTicket, { id: ticketId }),
  ];
  for (const answer of [
    ...(await Promise.all(deeds(support, reportId))),
    ...(await Promise.all(deeds(moderator, id))),
  ])
    expect(answer).toMatchObject({ code: 404, reason: 'ticket.notFound' });
  for (const [who, kind] of [
    [support, 'feedback'],
    [moderator, 'report'],
  ] as const) {
    const { tickets } = await app.ok(who, calls.listTickets, { state: 'all', size: 100 });
    expect([...new Set(tickets.map((each) => each.kind))]).toEqual([kind]);
  }
  expect((await app.call(mia, calls.listTickets, {})).code).toBe(403);
});

test('who is reported, on the team too, learns nothing of it', async () => {
  const mia = await app.person('Mia');
  const other = await app.person('Max', { staffRole: 'moderator' });
  const id = await report(mia, other);
  expect((await app.call(other, calls.readTicket, { id })).code).toBe(404);
  const { tickets, counts } = await app.ok(other, calls.listTickets, { state: 'all', size: 100 });
  expect(tickets.map((each) => each.id)).not.toContain(id);
  expect((await app.ok(moderator, calls.listTickets, {})).counts.open).toBe(counts.open + 1);
  const { people } = await app.ok(moderator, calls.ticketAssignees, { id });
  expect(people.map((each) => each.id)).not.toContain(other.id);
  expect(people.map((each) => each.id)).toContain(moderator.id);
  expect(await app.call(moderator, calls.assignTicket, { id, from: null, to: other.id })).toMatchObject({
    code: 422,
    reason: 'ticket.notOnTeam',
    data: { fields: { to: expect.any(String) } },
  });
  await app.ok(moderator, calls.answerTicket, { id, text: 'Thank you, we look into it.' });
  await app.deliver();
  expect(await emailsTo(other)).toEqual([]);
  expect((await app.ok(other, listNews, {})).news).toEqual([]);
  const [entry] = await log();
  expect(entry).toMatchObject({ action: 'ticket.answered', person: null });
  // Readings by the team are noted.
  const { entries } = await app.ok(admin, listReadings, {});
  const read = entries.find((each) => each.list === 'tickets' && each.admin?.id === moderator.id);
  expect(read?.peopleCount).toBeGreaterThan(1);
});

test('of two who take a ticket at once one gets it; it is given on and released', async () => {
  const mia = await app.person('Mia');
  const { id } = await write(mia);
  const take = (who: TestPerson) => app.call(who, calls.assignTicket, { id, from: null, to: who.id });
  const answers = await Promise.all([take(admin), take(support)]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ code }) => code === 409)).toMatchObject({ reason: 'ticket.assigned' });
  const has = (await app.ok(admin, calls.readTicket, { id })).assignee!.id;
  const [holder, next] = has === admin.id ? [admin, support] : [support, admin];
  const given = await app.ok(holder, calls.assignTicket, { id, from: holder.id, to: next.id });
  expect(given.assignee?.id).toBe(next.id);
  expect((await app.call(holder, calls.assignTicket, { id, from: holder.id, to: null })).code).toBe(409);
  expect((await app.ok(next, calls.assignTicket, { id, from: next.id, to: null })).assignee).toBeNull();
  const stranger = await app.call(admin, calls.assignTicket, { id, from: null, to: mia.id });
  expect(stranger.reason).toBe('ticket.notOnTeam');
  expect((await log()).slice(0, 3).map(({ action }) => action)).toEqual([
    'ticket.released',
    'ticket.assigned',
    'ticket.assigned',
  ]);
});

test('a report closes with what came of it, once; it can be opened again', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const id = await report(mia, leo);
  expect(await app.call(moderator, calls.closeTicket, { id })).toMatchObject({
    code: 422,
    data: { fields: { outcome: expect.any(String) } },
  });
  const close = () => app.call(moderator, calls.closeTicket, { id, outcome: 'Talked to Leo.' });
  const answers = await Promise.all([close(), close()]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const closed = await app.ok(moderator, calls.readTicket, { id });
  expect(closed).toMatchObject({ state: 'closed', messages: [{ kind: 'note', text: 'Talked to Leo.' }] });
  const listed = async (only: 'all' | 'open') =>
    (await app.ok(moderator, listReports, { only, size: 100 })).reports.filter((each) => each.id === id);
  expect(await listed('all')).toMatchObject([{ outcome: 'Talked to Leo.', handledAt: expect.any(String) }]);
  expect(await listed('open')).toEqual([]);
  expect((await app.ok(moderator, calls.reopenTicket, { id })).state).toBe('open');
  expect(await listed('open')).toHaveLength(1);
  expect((await app.call(moderator, calls.reopenTicket, { id })).reason).toBe('admin.movedOn');
  expect((await app.ok(mia, calls.readOwnTicket, { id })).messages).toEqual([]);
});

test('what the app itself reports has nobody to answer', async () => {
  const leo = await app.person('Leo');
  const id = crypto.randomUUID();
  await app.platform.db.execute(sql`
    insert into person_reports (id, subject_id, reason, created_at)
    values (${id}, ${leo.id}, 'late cancellations', ${app.clock.now().toISOString()})`);
  const answer = await app.call(moderator, calls.answerTicket, { id, text: 'Hello' });
  expect(answer).toMatchObject({ code: 422, reason: 'ticket.noAuthor' });
  expect((await app.ok(moderator, calls.readTicket, { id })).messages).toEqual([]);
});

test('tickets are read by pages and found by state, kind, and who has them', async () => {
  const mia = await app.person('Mia');
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await write(mia, `No. ${n}`)).id);
  const before = (await app.ok(support, calls.listTickets, {})).counts;
  await app.ok(support, calls.assignTicket, { id: ids[0]!, from: null, to: support.id });
  await app.ok(support, calls.answerTicket, { id: ids[1]!, text: 'Soon.' });
  await app.ok(support, calls.closeTicket, { id: ids[2]! });
  const pages: string[] = [];
  let cursor = '';
  do {
    const page = await app.ok(support, calls.listTickets, { state: 'all', size: 2, cursor });
    expect(page.tickets.length).toBeLessThanOrEqual(2);
    pages.push(...page.tickets.map((each) => each.id));
    cursor = page.next ?? '';
  } while (cursor !== '');
  expect(new Set(pages).size).toBe(pages.length);
  const whole = await app.ok(support, calls.listTickets, { state: 'all', size: 100 });
  expect(pages).toEqual(whole.tickets.map((each) => each.id));
  const found = async (filter: object) =>
    (await app.ok(support, calls.listTickets, { state: 'all', size: 100, ...filter })).tickets
      .map(({ id }) => ids.indexOf(id))
      .filter((index) => index >= 0)
      .toSorted((a, b) => a - b);
  expect(await found({ of: 'mine' })).toEqual([0]);
  expect(await found({ of: 'unassigned', state: 'open' })).toEqual([3, 4]);
  expect(await found({ state: 'waiting' })).toEqual([1]);
  expect(await found({ state: 'closed' })).toEqual([2]);
  expect(await found({ kind: 'report' })).toEqual([]);
  const { counts } = await app.ok(support, calls.listTickets, {});
  expect(counts).toEqual({
    open: before.open - 2,
    waiting: before.waiting + 1,
    mine: before.mine + 1,
    unassigned: before.unassigned - 2,
  });
  expect((await app.call(support, calls.listTickets, { cursor: 'x' })).code).toBe(422);
});

test('what the calls about messages and reports alone answer and decide stands in the ticket', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const { id } = await write(mia);
  await app.ok(support, answerFeedback, { id, answer: 'Done.' });
  expect(await app.ok(support, calls.readTicket, { id })).toMatchObject({
    state: 'closed',
    messages: [{ kind: 'answer', text: 'Done.' }],
  });
  const reportId = await report(mia, leo);
  await app.ok(moderator, handleReport, { id: reportId, outcome: 'Warned.' });
  expect(await app.ok(moderator, calls.readTicket, { id: reportId })).toMatchObject({
    state: 'closed',
    messages: [{ kind: 'note', text: 'Warned.', writer: { id: moderator.id } }],
  });
  const another = await write(mia);
  await app.ok(support, calls.closeTicket, { id: another.id });
  const { messages } = await app.ok(support, listFeedback, { only: 'open', size: 100 });
  expect(messages.map((each) => each.id)).not.toContain(another.id);
});

test('with its author a ticket goes; with one on the team only the name', async () => {
  const mia = await app.person('Mia');
  const helper = await app.person('Hal', { staffRole: 'support' });
  const { id } = await write(mia);
  await app.ok(helper, calls.assignTicket, { id, from: null, to: helper.id });
  await app.ok(helper, calls.answerTicket, { id, text: 'Hello' });
  await leave(helper);
  expect(await app.ok(support, calls.readTicket, { id })).toMatchObject({
    assignee: null,
    messages: [{ writer: null, text: 'Hello' }],
  });
  await leave(mia);
  expect((await app.call(support, calls.readTicket, { id })).code).toBe(404);
});

test('a ticket without room for another message refuses it, stays as it is, and can be closed', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const id = await report(mia, leo);
  await app.platform.db.execute(sql`
    insert into ticket_messages (ticket_id, kind, author_id, text, at)
    select ${id}, 'note', ${moderator.id}, 'Note', ${app.clock.now().toISOString()}
    from generate_series(1, ${calls.mostTicketMessages - 1})`);
  const reply = () => app.call(mia, calls.replyToTeam, { id, text: 'One more thing' });
  const answers = await Promise.all([reply(), reply()]);
  expect(answers.map(({ reason }) => reason ?? '').toSorted()).toEqual(['', 'ticket.full']);
  const answer = await app.call(moderator, calls.answerTicket, { id, text: 'Thank you' });
  expect(answer).toMatchObject({ code: 422, reason: 'ticket.full' });
  expect(await app.ok(moderator, calls.readTicket, { id })).toMatchObject({ state: 'open' });
  const closed = await app.ok(moderator, calls.closeTicket, { id, outcome: 'Talked to Leo.' });
  expect(closed.state).toBe('closed');
});

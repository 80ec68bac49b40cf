import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#contract/admin/endpoints.ts';
import { makeKey } from '#contract/connect/keys.ts';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { orderDetail } from '#contract/rides/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { personReports } from '../../../schema/contacts.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { rides } from '../../../schema/rides.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { publishRide } from '../../../testing/orders.ts';

let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.person('Ada', { isAdmin: true });
});
afterAll(() => app.close());

const emailsTo = async ({ email }: TestPerson) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
const log = async () => (await app.ok(admin, calls.listAudit, {})).entries;

test('an admin’s calls are for admins', async () => {
  const mia = await app.person('Mia');
  const id = crypto.randomUUID();
  for (const answer of [
    await app.call(mia, calls.statistics, {}),
    await app.call(mia, calls.listUsers, {}),
    await app.call(mia, calls.suspendUser, { id: admin.id, suspended: true, reason: 'x' }),
    await app.call(mia, calls.listFeedback, {}),
    await app.call(mia, calls.readFeedback, { id }),
    await app.call(mia, calls.answerFeedback, { id, answer: 'x' }),
    await app.call(mia, calls.listReports, {}),
    await app.call(mia, calls.handleReport, { id, outcome: 'x' }),
    await app.call(mia, calls.listAudit, {}),
  ])
    expect(answer.code).toBe(403);
  expect((await app.call(null, calls.listUsers, {})).code).toBe(400);
});

test('people are found by name, e-mail and phone; signs of a pattern stand for themselves', async () => {
  const [percy, quinn] = [await app.person('Percy 100%'), await app.person('Quinn_Q')];
  const found = async (text: string) =>
    (await app.ok(admin, calls.listUsers, { text })).users.map(({ person }) => person.id);
  expect(await found('percy')).toEqual([percy.id]);
  expect(await found('0%')).toEqual([percy.id]);
  expect(await found('n_q')).toEqual([quinn.id]);
  expect(await found(quinn.email.toUpperCase())).toEqual([quinn.id]);
  expect(await found(String.raw`\x`)).toEqual([]);
  const admins = await app.ok(admin, calls.listUsers, { only: 'admins' });
  expect(admins).toMatchObject({ total: 1, users: [{ person: { id: admin.id }, isAdmin: true }] });
  const first = await app.ok(admin, calls.listUsers, { size: 1 });
  expect(first.users).toHaveLength(1);
  expect(first.total).toBeGreaterThan(2);
});

test('a suspended person is out at once, told why, and their plans are taken back; they can be let in again', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const ride = await publishRide(app, mia);
  expect((await app.ok(leo, orderDetail, { id: ride.id })).order.state).toBe('matching');
  const reason = 'Two people reported dangerous driving.';
  const suspended = await app.ok(admin, calls.suspendUser, { id: mia.id, suspended: true, reason });
  expect(suspended).toMatchObject({ suspendedReason: reason, suspendedAt: expect.any(String) });
  expect((await app.call(mia, readProfile, {})).code).toBe(400);
  await app.deliver();
  expect((await emailsTo(mia))[0]?.body).toContain(reason);
  const [row] = await app.platform.db.select().from(rides).where(eq(rides.id, ride.id));
  expect(row?.state).toBe('cancel');

  expect(await app.call(admin, calls.suspendUser, { id: mia.id, suspended: true, reason })).toMatchObject({
    code: 409,
    reason: 'admin.movedOn',
  });
  expect((await app.ok(admin, calls.listUsers, { only: 'suspended' })).users).toHaveLength(1);
  await app.ok(admin, calls.suspendUser, { id: mia.id, suspended: false, reason: 'A mix-up.' });
  await app.deliver();
  expect(await emailsTo(mia)).toHaveLength(2);
  expect((await app.ok(admin, calls.listUsers, { only: 'suspended' })).users).toEqual([]);
  expect(await log()).toMatchObject([
    { action: 'user.unsuspended', note: 'A mix-up.', admin: { id: admin.id }, person: { id: mia.id } },
    { action: 'user.suspended', note: reason },
  ]);
});

test('a suspension needs a reason, and is not for admins or nobody', async () => {
  const [mia, other] = [await app.person('Mia'), await app.person('Otis', { isAdmin: true })];
  const call = (id: string, reason: string) =>
    app.call(admin, calls.suspendUser, { id, suspended: true, reason });
  expect(await call(mia.id, ' ')).toMatchObject({
    code: 422,
    data: { fields: { reason: expect.any(String) } },
  });
  expect((await call(other.id, 'x')).reason).toBe('admin.notAdmins');
  expect((await call(admin.id, 'x')).reason).toBe('admin.notAdmins');
  expect((await call(crypto.randomUUID(), 'x')).reason).toBe('admin.userNotFound');
  const answers = await Promise.all([1, 2, 3].map(() => call(mia.id, 'At once')));
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});

test('a message is read and answered once, by mail', async () => {
  const mia = await app.person('Mia');
  const { id } = await app.ok(mia, postFeedback, { subject: 'The map', message: 'It is\nblank.' });
  const open = await app.ok(admin, calls.listFeedback, { only: 'open' });
  expect(open.messages[0]).toMatchObject({ id, author: { id: mia.id }, email: mia.email, readAt: null });
  expect((await app.ok(admin, calls.readFeedback, { id })).readAt).not.toBeNull();
  expect((await app.ok(admin, calls.listFeedback, { only: 'open' })).open).toBe(open.open - 1);
  const answers = await Promise.all(
    ['One.', 'Two.'].map((answer) => app.call(admin, calls.answerFeedback, { id, answer })),
  );
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  await app.deliver();
  const [letter, ...others] = await emailsTo(mia);
  expect(others).toEqual([]);
  expect(letter?.subject).toBe('Re: The map');
  expect(letter?.body).toContain('> blank.');
  expect((await app.call(admin, calls.answerFeedback, { id, answer: ' ' })).code).toBe(422);
  expect((await app.call(admin, calls.readFeedback, { id: crypto.randomUUID() })).code).toBe(404);
  expect((await log()).slice(0, 2).map(({ action }) => action)).toEqual([
    'feedback.answered',
    'feedback.read',
  ]);
});

test('a report is closed once, with what came of it', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const report = (at: Date) => ({
    id: crypto.randomUUID(),
    reporterId: mia.id,
    subjectId: leo.id,
    reason: 'spam' as const,
    words: 'Sells things.',
    createdAt: at,
  });
  const [first, second] = [report(app.clock.now()), report(new Date(app.clock.now().getTime() + 1))];
  await app.platform.db.insert(personReports).values([first, second]);
  const listed = await app.ok(admin, calls.listReports, {});
  expect(listed).toMatchObject({
    total: 2,
    open: 2,
    reports: [
      { id: second.id, others: 1, reporter: { id: mia.id }, subject: { id: leo.id } },
      { id: first.id },
    ],
  });
  const close = () => app.call(admin, calls.handleReport, { id: first.id, outcome: 'Talked to Leo.' });
  expect((await close()).data).toMatchObject({ outcome: 'Talked to Leo.', handledAt: expect.any(String) });
  expect((await close()).reason).toBe('admin.movedOn');
  expect((await app.ok(admin, calls.listReports, {})).open).toBe(1);
  expect((await app.ok(admin, calls.listReports, { only: 'all' })).total).toBe(2);
  expect((await log())[0]).toMatchObject({ action: 'report.handled', person: { id: leo.id } });
});

test('someone on the team neither sees nor closes a report about themselves, by an API key either', async () => {
  const [reported, mia, leo] = [
    await app.person('Reported', { staffRole: 'admin' }),
    await app.person('Mia'),
    await app.person('Leo'),
  ];
  const [about, other] = [reported, leo].map(({ id }) => ({
    id: crypto.randomUUID(),
    reporterId: mia.id,
    subjectId: id,
    reason: 'spam' as const,
    words: '',
    createdAt: app.clock.now(),
  }));
  const all = (who: TestPerson) => app.ok(who, calls.listReports, { only: 'all', size: 100 });
  const before = await all(admin);
  await app.platform.db.insert(personReports).values([about!, other!]);
  expect(await all(admin)).toMatchObject({ total: before.total + 2, open: before.open + 2 });
  const { secret } = await app.ok(reported, makeKey, {
    name: 'Reports',
    scopes: ['reports.read', 'reports.handle'],
  });
  for (const who of [reported, { ...reported, token: secret }]) {
    const seen = await all(who);
    expect(seen).toMatchObject({ total: before.total + 1, open: before.open + 1 });
    expect(seen.reports.map(({ id }) => id)).not.toContain(about!.id);
    expect(await app.call(who, calls.handleReport, { id: about!.id, outcome: 'Nothing.' })).toMatchObject({
      code: 404,
      reason: 'admin.reportNotFound',
    });
  }
  expect(await all(admin)).toMatchObject({ open: before.open + 2 });
  await app.ok(admin, calls.handleReport, { id: about!.id, outcome: 'Talked.' });
  // Nor in the logs of what was done and read.
  await app.ok(admin, calls.handleReport, { id: other!.id, outcome: 'Talked.' });
  const handledOf = async (who: TestPerson) => {
    const { entries, total } = await app.ok(who, calls.listAudit, { size: 100 });
    const handled = entries.filter(({ action }) => action === 'report.handled');
    return { total, people: handled.map(({ person }) => person?.id) };
  };
  const [every, own] = [await handledOf(admin), await handledOf(reported)];
  expect(every.people).toEqual(expect.arrayContaining([reported.id, leo.id]));
  expect(own).toEqual({ total: every.total - 1, people: every.people.filter((id) => id !== reported.id) });
  const readOf = async (who: TestPerson) => {
    const { entries } = await app.ok(who, calls.listReadings, { size: 100 });
    const { people } = entries.find(({ list, admin: by }) => list === 'reports' && by?.id === admin.id)!;
    return people.map(({ id }) => id);
  };
  expect(await readOf(admin)).toContain(reported.id);
  expect(await readOf(reported)).toContain(leo.id);
  expect(await readOf(reported)).not.toContain(reported.id);
  // Also once another has closed it.
  const again = await app.call(reported, calls.handleReport, { id: about!.id, outcome: 'Nothing.' });
  expect(again.code).toBe(404);
});

import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '#contract/contacts/endpoints.ts';
import { dayMs } from '../../platform/clock.ts';
import { contactApplications, personReports } from '../../schema/contacts.ts';
import { users } from '../../schema/identity.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { befriend } from './meet-person.ts';
import { areContacts, contactIds } from './store.ts';

let app: TestApp;
let mia: TestPerson;
let leo: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-20T12:00:00Z') });
});
afterAll(() => app.close());
beforeEach(async () => {
  [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
});

const overview = (who: TestPerson) => app.ok(who, calls.listContacts, {});
const apply = (from: TestPerson, to: TestPerson, message = '') =>
  app.call(from, calls.applyForContact, { id: to.id, message });
const relation = async (who: TestPerson, other: TestPerson) =>
  (await app.ok(who, calls.readContact, { id: other.id })).relation;

test('an application waits, is accepted once, and makes contacts of both', async () => {
  expect(await apply(mia, leo, '  We met\nat the event 👋 ')).toMatchObject({
    code: 200,
    data: { relation: 'applied' },
  });
  expect(await apply(mia, leo)).toMatchObject({ data: { relation: 'applied' } });
  expect(await relation(mia, leo)).toBe('applied');
  expect(await relation(leo, mia)).toBe('asked');
  const [waiting, ...others] = (await overview(leo)).applications;
  expect(others).toEqual([]);
  expect(waiting).toMatchObject({
    person: { id: mia.id, name: 'Mia' },
    direction: 'in',
    message: 'We met\nat the event 👋',
    origin: 'DIRECT',
    status: 'pending',
  });
  expect((await overview(mia)).applications).toMatchObject([{ direction: 'out', status: 'pending' }]);

  const id = waiting!.id;
  expect(await app.call(mia, calls.answerApplication, { id, status: 'accepted' })).toMatchObject({
    code: 404,
    reason: 'contact.applicationNotFound',
  });
  expect(await app.ok(leo, calls.answerApplication, { id, status: 'accepted' })).toMatchObject({
    status: 'accepted',
  });
  expect(await app.call(leo, calls.answerApplication, { id, status: 'denied' })).toMatchObject({
    code: 409,
    reason: 'contact.answered',
  });
  for (const [who, other] of [
    [mia, leo],
    [leo, mia],
  ] as const) {
    expect(await overview(who)).toMatchObject({
      contacts: [{ person: { id: other.id }, origin: 'DIRECT' }],
      applications: who === mia ? [{ person: { id: leo.id }, direction: 'out', status: 'accepted' }] : [],
    });
  }
  expect(await apply(mia, leo)).toMatchObject({ data: { relation: 'contact' } });
});

test('who was denied sees it, and may ask again after a week', async () => {
  await apply(mia, leo);
  const [waiting] = (await overview(leo)).applications;
  await app.ok(leo, calls.answerApplication, { id: waiting!.id, status: 'denied' });
  expect((await overview(leo)).applications).toEqual([]);
  expect((await overview(mia)).applications).toMatchObject([{ direction: 'out', status: 'denied' }]);
  expect(await apply(mia, leo)).toMatchObject({ code: 409, reason: 'contact.deniedLately' });
  expect(await apply(leo, mia)).toMatchObject({ data: { relation: 'applied' } });
  await app.ok(leo, calls.deleteContact, { id: mia.id });
  app.clock.advance(7 * dayMs + 1000);
  expect((await overview(mia)).applications).toEqual([]);
  expect(await apply(mia, leo)).toMatchObject({ data: { relation: 'applied' } });
});

test('two people who apply to each other at once become contacts once', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await app.person('A'), await app.person('B')];
    const answers = await Promise.all([apply(a, b), apply(b, a), apply(a, b), apply(b, a)]);
    expect(answers.map((answer) => answer.code)).toEqual([200, 200, 200, 200]);
    expect(await areContacts(app.platform.db, a.id, b.id)).toBe(true);
    expect(await contactIds(app.platform.db, b.id)).toEqual([a.id]);
    expect((await overview(a)).applications.filter(({ status }) => status === 'pending')).toEqual([]);
    const rows = await app.platform.db
      .select()
      .from(contactApplications)
      .where(eq(contactApplications.fromId, a.id));
    expect(rows.length).toBeLessThanOrEqual(1);
  }
});

test('a block hides both from each other at once and ends all there was', async () => {
  await befriend(app.platform, mia.id, leo.id);
  const { id: tagId } = await app.ok(mia, calls.createTag, { name: 'Work', userIds: [leo.id] });
  await app.ok(leo, calls.createTag, { name: 'Choir', userIds: [mia.id] });
  await app.ok(mia, calls.blockPerson, { id: leo.id });
  await app.ok(mia, calls.blockPerson, { id: leo.id });

  expect(await overview(mia)).toMatchObject({ contacts: [], applications: [], blocked: [{ id: leo.id }] });
  expect(await overview(leo)).toEqual({ contacts: [], applications: [], blocked: [] });
  expect((await app.ok(mia, calls.readTag, { id: tagId })).tag.size).toBe(0);
  expect((await app.ok(leo, calls.listTags, {})).tags).toMatchObject([{ size: 0 }]);
  expect(await relation(mia, leo)).toBe('blocked');
  expect(await app.call(leo, calls.readContact, { id: mia.id })).toMatchObject({
    code: 404,
    reason: 'contact.notFound',
  });
  for (const [who, other] of [
    [mia, leo],
    [leo, mia],
  ] as const) {
    expect(await apply(who, other)).toMatchObject({
      code: 404,
      reason: 'contact.unable',
      info: 'Unable to contact.',
    });
    const { code } = await app.ok(other, calls.myQrCode, {});
    expect(await app.call(who, calls.scanCode, { code })).toMatchObject({ reason: 'contact.unable' });
    expect((await app.ok(who, calls.searchPeople, { text: other.email })).people).toEqual([]);
  }

  await app.ok(mia, calls.unblockPerson, { id: leo.id });
  expect(await app.call(mia, calls.unblockPerson, { id: leo.id })).toMatchObject({ code: 404 });
  expect(await relation(leo, mia)).toBe('none');
  expect(await areContacts(app.platform.db, mia.id, leo.id)).toBe(false);
});

test('a block while an application waits ends it; its answer comes too late', async () => {
  await apply(mia, leo);
  const [waiting] = (await overview(leo)).applications;
  await app.ok(mia, calls.blockPerson, { id: leo.id });
  expect((await overview(leo)).applications).toEqual([]);
  expect(await app.call(leo, calls.answerApplication, { id: waiting!.id, status: 'accepted' })).toMatchObject(
    {
      code: 404,
    },
  );
  expect(await areContacts(app.platform.db, mia.id, leo.id)).toBe(false);
});

test('an acceptance and a block at once never leave a contact behind', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await app.person('A'), await app.person('B')];
    await apply(a, b);
    const [waiting] = (await overview(b)).applications;
    await Promise.all([
      app.call(b, calls.answerApplication, { id: waiting!.id, status: 'accepted' }),
      app.call(a, calls.blockPerson, { id: b.id }),
    ]);
    expect(await areContacts(app.platform.db, a.id, b.id)).toBe(false);
    expect(await areContacts(app.platform.db, b.id, a.id)).toBe(false);
  }
});

test('remark and tags are their owner’s alone', async () => {
  await befriend(app.platform, mia.id, leo.id);
  const work = await app.ok(mia, calls.createTag, { name: 'Work' });
  const foreign = await app.ok(leo, calls.createTag, { name: 'Mine' });
  const updated = await app.ok(mia, calls.updateContact, {
    id: leo.id,
    remark: ' Nachbar · 邻居 ',
    tagIds: [work.id, work.id],
  });
  expect(updated).toMatchObject({ remark: 'Nachbar · 邻居', tagIds: [work.id] });
  expect((await overview(leo)).contacts).toMatchObject([{ remark: '', tagIds: [] }]);
  expect(
    await app.call(mia, calls.updateContact, { id: leo.id, remark: 'x', tagIds: [foreign.id] }),
  ).toMatchObject({ code: 404, reason: 'tag.notFound' });
  expect(
    await app.call(mia, calls.updateContact, { id: leo.id, remark: 'x'.repeat(101), tagIds: [] }),
  ).toMatchObject({ code: 422, data: { fields: { remark: 'Please enter up to 100 characters.' } } });
  expect((await overview(mia)).contacts).toMatchObject([{ remark: 'Nachbar · 邻居', tagIds: [work.id] }]);
  await app.ok(mia, calls.deleteContact, { id: leo.id });
  expect((await overview(leo)).contacts).toEqual([]);
  expect((await app.ok(mia, calls.listTags, {})).tags).toMatchObject([{ name: 'Work', size: 0 }]);
  expect(await app.call(mia, calls.deleteContact, { id: leo.id })).toMatchObject({ code: 404 });
});

test('the page of a person shows what they let contacts see', async () => {
  const { db } = app.platform;
  const phone = '+14155550160';
  await db
    .update(users)
    .set({ phone, phoneVerifiedAt: app.clock.now(), phoneSeenBy: 'contacts' })
    .where(eq(users.id, leo.id));
  const zoe = await app.person('Zoe');
  await befriend(app.platform, mia.id, zoe.id);
  await befriend(app.platform, leo.id, zoe.id);
  const page = () => app.ok(mia, calls.readContact, { id: leo.id });
  expect(await page()).toMatchObject({ relation: 'none', phone: '', contact: null, contactsInCommon: 1 });
  await befriend(app.platform, mia.id, leo.id);
  expect(await page()).toMatchObject({ relation: 'contact', phone, contact: { origin: 'DIRECT' } });
  await db.update(users).set({ phoneSeenBy: 'joined' }).where(eq(users.id, leo.id));
  expect(await page()).toMatchObject({ phone: '' });
  await db.update(users).set({ interests: 'Sea kayaks' }).where(eq(users.id, leo.id));
  expect(await page()).toMatchObject({ interests: 'Sea kayaks' });
  expect(await app.ok(mia, calls.readContact, { id: mia.id })).toMatchObject({ relation: 'self' });
  expect(await app.call(mia, calls.readContact, { id: randomUUID() })).toMatchObject({ code: 404 });
});

test('nobody can be reached who is suspended, deleted or has no profile yet', async () => {
  const { db } = app.platform;
  for (const gone of [
    { suspendedAt: app.clock.now() },
    { deletedAt: app.clock.now(), suspendedAt: null },
    { deletedAt: null, profileCompletedAt: null },
  ]) {
    await db.update(users).set(gone).where(eq(users.id, leo.id));
    expect(await apply(mia, leo)).toMatchObject({ code: 404, reason: 'contact.unable' });
  }
  expect(await apply(mia, mia)).toMatchObject({ reason: 'contact.self' });
  expect(await app.call(mia, calls.applyForContact, { id: randomUUID() })).toMatchObject({
    reason: 'contact.unable',
  });
});

test('a report is kept for the admins; its reason must be one of the list', async () => {
  await app.ok(mia, calls.blockPerson, { id: leo.id });
  // A blocked person can still report.
  await app.ok(leo, calls.reportPerson, { id: mia.id, reason: 'harassment', words: 'مرحبا\u202E' });
  expect(await app.call(leo, calls.reportPerson, { id: mia.id, reason: 'ugly' as 'spam' })).toMatchObject({
    code: 422,
    data: { fields: { reason: 'Please select a reason.' } },
  });
  const rows = await app.platform.db.select().from(personReports).where(eq(personReports.reporterId, leo.id));
  expect(rows).toMatchObject([{ subjectId: mia.id, reason: 'harassment', words: 'مرحبا', handledAt: null }]);
});

test('texts of 100 kB and of nothing visible are refused, and nothing is stored', async () => {
  const long = 'ü'.repeat(50_000);
  expect(await apply(mia, leo, long)).toMatchObject({
    code: 422,
    data: { fields: { message: expect.any(String) } },
  });
  expect(await app.call(mia, calls.createTag, { name: long })).toMatchObject({ code: 422 });
  expect(await app.call(mia, calls.createTag, { name: '\u200B\u200D\u2066' })).toMatchObject({
    code: 422,
    data: { fields: { name: 'Please enter a name for the tag.' } },
  });
  expect(await app.call(mia, calls.searchPeople, { text: '\u200B ' })).toMatchObject({
    code: 422,
    data: { fields: { text: 'Please enter a name, an email or a phone number.' } },
  });
  expect((await overview(leo)).applications).toEqual([]);
  expect((await app.ok(mia, calls.listTags, {})).tags).toEqual([]);
});

test('both sides hear of it', async () => {
  const heard: unknown[] = [];
  // Signals from before this test would be received, too.
  await app.deliver();
  app.platform.outbox.on('contact.moved', 'test', async ({ payload }) => void heard.push(payload));
  await apply(mia, leo);
  await app.deliver();
  expect(heard).toEqual([{ move: 'applied', actorId: mia.id, otherId: leo.id }]);
});

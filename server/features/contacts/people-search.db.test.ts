import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '#contract/contacts/endpoints.ts';
import { readOutbox } from '#contract/demo/endpoints.ts';
import { createUser } from '#contract/user/endpoints.ts';
import { dayMs, minuteMs } from '../../platform/clock.ts';
import { users } from '../../schema/identity.ts';
import { attempts } from '../../schema/platform.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { contactIds } from './store.ts';

let app: TestApp;
let mia: TestPerson;
let leo: TestPerson;
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-20T12:00:00Z'),
    env: { PUBLIC_URL: 'https://go.example/', DEMO: '1' },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
});

const change = (who: TestPerson, columns: Partial<typeof users.$inferInsert>) =>
  app.platform.db.update(users).set(columns).where(eq(users.id, who.id));
let phones = 0;
async function givePhone(who: TestPerson, verified = true): Promise<string> {
  const phone = `+1415555${String(100 + phones++).padStart(4, '0')}`;
  await change(who, { phone, phoneVerifiedAt: verified ? app.clock.now() : null });
  return phone;
}
const search = (who: TestPerson, text: string) => app.ok(who, calls.searchPeople, { text });
const idsOf = (found: { people: { person: { id: string } }[] }) =>
  found.people.map(({ person }) => person.id);

test('a whole e-mail finds its person, a part of it nobody', async () => {
  expect(await search(mia, leo.email.toUpperCase())).toMatchObject({
    by: 'email',
    people: [{ person: { id: leo.id, name: 'Leo' }, relation: 'none', ticket: '' }],
  });
  expect((await search(mia, leo.email.slice(0, -1))).people).toEqual([]);
  expect((await search(mia, leo.email.split('@')[0]!)).people).toEqual([]);
  expect((await search(mia, mia.email)).people).toEqual([]);
  await change(leo, { foundByEmail: false });
  expect((await search(mia, leo.email)).people).toEqual([]);
});

test('a whole number finds its person once it is verified, and the origin is told truly', async () => {
  const phone = await givePhone(leo, false);
  expect((await search(mia, phone)).people).toEqual([]);
  await change(leo, { phoneVerifiedAt: app.clock.now() });
  const typed = `(415) ${phone.slice(5, 8)}-${phone.slice(8)}`;
  const found = await search(mia, typed);
  expect(found).toMatchObject({ by: 'phone', people: [{ person: { id: leo.id } }] });
  const { ticket } = found.people[0]!;
  const zoe = await app.person('Zoe');

  // Another person's ticket, or one about another person, proves nothing.
  await app.ok(zoe, calls.applyForContact, { id: leo.id, ticket });
  await app.ok(mia, calls.applyForContact, { id: zoe.id, ticket });
  await app.ok(mia, calls.applyForContact, { id: leo.id, ticket });
  const { applications } = await app.ok(leo, calls.listContacts, {});
  const origins = new Map(applications.map(({ person, origin }) => [person.id, origin]));
  expect(origins).toEqual(
    new Map([
      [mia.id, 'PHONE_NUMBER'],
      [zoe.id, 'DIRECT'],
    ]),
  );
  expect((await app.ok(zoe, calls.listContacts, {})).applications).toMatchObject([
    { origin: 'DIRECT' },
    { origin: 'DIRECT' },
  ]);
  await change(leo, { foundByPhone: false });
  expect((await search(mia, phone)).people).toEqual([]);
});

test('names are found by their parts, in any script, with patterns taken as text', async () => {
  const mark = randomUUID().slice(0, 6);
  const people = await Promise.all(
    [`Ana ${mark}`, `Ana María ${mark}`, `王小明${mark}`, `100%_${mark}`, `محمد ${mark}`].map((name) =>
      app.person(name),
    ),
  );
  const [ana, maria, wang, percent, arabic] = people as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ];
  expect(idsOf(await search(mia, `ANA ${mark}`))).toEqual([ana.id]);
  expect(idsOf(await search(mia, `maría ${mark}`))).toEqual([maria.id]);
  expect(idsOf(await search(mia, `小明${mark}`))).toEqual([wang.id]);
  expect(idsOf(await search(mia, `%_${mark}`))).toEqual([percent.id]);
  expect(idsOf(await search(mia, `محمد ${mark}`))).toEqual([arabic.id]);
  expect(idsOf(await search(mia, mark)).toSorted()).toEqual(people.map(({ id }) => id).toSorted());
  await change(ana, { foundByName: false });
  expect(idsOf(await search(mia, `ANA ${mark}`))).toEqual([]);
  expect(await app.call(mia, calls.searchPeople, { text: 'a' })).toMatchObject({
    code: 422,
    reason: 'contact.searchShort',
  });
  expect(await app.call(mia, calls.searchPeople, { text: "'; drop table users; --" })).toMatchObject({
    data: { people: [] },
  });
});

test('searches are counted', async () => {
  for (let count = 0; count < 40; count++) await search(mia, 'somebody');
  const refused = await app.call(mia, calls.searchPeople, { text: 'somebody' });
  expect(refused).toMatchObject({ code: 429, data: { retryAfterSeconds: expect.any(Number) } });
  app.clock.advance(minuteMs);
  await search(mia, 'somebody');
});

test('a code shown face to face makes contacts at once', async () => {
  const { code, expiresAt } = await app.ok(leo, calls.myQrCode, {});
  const lifeMs = new Date(expiresAt).getTime() - app.clock.now().getTime();
  // The clock advances during the call.
  expect(Math.round(lifeMs / minuteMs)).toBe(10);
  const scanned = `https://elsewhere.example/pages/contact/add?code=${code}`;
  expect(await app.ok(mia, calls.scanCode, { code: scanned })).toMatchObject({
    person: { id: leo.id, name: 'Leo' },
    relation: 'contact',
  });
  await app.ok(mia, calls.scanCode, { code });
  const { contacts } = await app.ok(leo, calls.listContacts, {});
  expect(contacts).toMatchObject([{ person: { id: mia.id }, origin: 'FTF_QRCODE' }]);
  expect(await app.call(leo, calls.scanCode, { code })).toMatchObject({ reason: 'contact.self' });
});

test('foreign, forged and expired codes are invalid', async () => {
  const { code } = await app.ok(leo, calls.myQrCode, {});
  const forged = code.slice(0, 10) + (code[10] === 'A' ? 'B' : 'A') + code.slice(11);
  const foreign = [
    forged,
    'https://example.com/',
    'WIFI:T:WPA;S:home;P:secret;;',
    'BEGIN:VCARD\nVERSION:3.0\nEND:VCARD',
    leo.id,
    '二维码',
    'x'.repeat(1999),
  ];
  const invalid = {
    code: 422,
    reason: 'contact.qrInvalid',
    info: 'Invalid QR Code.',
    data: { fields: { code: 'Invalid QR Code.' } },
  };
  for (const each of foreign)
    expect(await app.call(mia, calls.scanCode, { code: each })).toMatchObject(invalid);
  for (const each of ['', 'x'.repeat(100_000)])
    expect(await app.call(mia, calls.scanCode, { code: each })).toMatchObject({
      code: 422,
      data: { fields: { code: 'Invalid QR Code.' } },
    });
  app.clock.advance(10 * minuteMs);
  expect(await app.call(mia, calls.scanCode, { code })).toMatchObject(invalid);
  expect(await contactIds(app.platform.db, leo.id)).toEqual([]);
});

const hashOf = (salt: string, phone: string) =>
  createHash('sha256')
    .update(salt + phone)
    .digest('base64url');
const groupOf = (phone: string) => createHash('sha256').update(phone).digest().readUInt16BE(0);

test('an address book finds those who can be found by phone, under my salt alone', async () => {
  const [phone, hidden, unverified, own] = [
    await givePhone(leo),
    await givePhone(await app.person('Hidden')),
    await givePhone(await app.person('Unverified'), false),
    await givePhone(mia),
  ];
  await app.platform.db.update(users).set({ foundByPhone: false }).where(eq(users.phone, hidden));
  const { salt } = await app.ok(mia, calls.importSalt, {});
  const numbers = [phone, hidden, unverified, own, '+14155559999'];
  const { people } = await app.ok(mia, calls.importContacts, {
    hashes: numbers.map((each) => hashOf(salt, each)),
    groups: numbers.map(groupOf),
  });
  expect(people).toMatchObject([{ person: { id: leo.id }, relation: 'none', index: 0 }]);
  const { ticket } = people[0]!;
  await app.ok(mia, calls.applyForContact, { id: leo.id, ticket });
  expect((await app.ok(leo, calls.listContacts, {})).applications).toMatchObject([
    { origin: 'PHONE_CONTACT' },
  ]);

  const hashes = [hashOf(salt, phone)];
  const inGroup = async (of: number) =>
    (await app.ok(mia, calls.importContacts, { hashes, groups: [of] })).people.map(({ person }) => person.id);
  const group = groupOf(phone);
  expect(await inGroup(group)).toEqual([leo.id]);
  expect(await inGroup((group + 1) % calls.numberGroups)).toEqual([]);

  const zoe = await app.person('Zoe');
  const other = await app.ok(zoe, calls.importSalt, {});
  expect(other.salt).not.toBe(salt);
  expect(await app.ok(zoe, calls.importContacts, { hashes: [hashOf(salt, phone)], groups: [group] })).toEqual(
    { people: [] },
  );
});

test('nothing of an address book is stored, not even with an answer that is kept', async () => {
  const { salt } = await app.ok(mia, calls.importSalt, {});
  const phone = await givePhone(leo);
  const hash = hashOf(salt, phone);
  const idempotencyKey = randomUUID();
  const answer = await app.call(
    mia,
    calls.importContacts,
    { hashes: [hash], groups: [groupOf(phone)] },
    { idempotencyKey },
  );
  expect(answer).toMatchObject({ data: { people: [{ person: { id: leo.id } }] } });
  const { rows } = await app.pool.query<{ name: string }>(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'",
  );
  for (const { name } of rows) {
    const { rowCount } = await app.pool.query(`select 1 from ${name} t where t::text like $1`, [`%${hash}%`]);
    expect(rowCount, name).toBe(0);
  }
});

test('hostile and too large address books are refused; six a day are enough', async () => {
  const { salt } = await app.ok(mia, calls.importSalt, {});
  const hash = hashOf(salt, '+14155557777');
  const many = Array.from({ length: 5001 }, (_, index) => hashOf(salt, String(index)));
  for (const [hashes, field] of [
    [[], 'hashes'],
    [many, 'hashes'],
    [['+14155557777'], 'hashes.0'],
    [[hash, "'; drop table users; --"], 'hashes.1'],
    [[hash, null], 'hashes.1'],
  ] as const) {
    const refused = await app.callUnchecked(mia, calls.importContacts, { hashes, groups: [] });
    expect(refused).toMatchObject({ code: 422, data: { fields: { [field]: expect.any(String) } } });
  }
  for (let count = 0; count < 6; count++)
    await app.ok(mia, calls.importContacts, { hashes: many.slice(0, 5000), groups: [] });
  expect(await app.call(mia, calls.importContacts, { hashes: [hash], groups: [] })).toMatchObject({
    code: 429,
  });
});

test('invitations go out by e-mail and SMS in the inviter’s language, and the address is not kept', async () => {
  await change(mia, { language: 'zh', name: '小米' });
  const to = `${randomUUID()}@example.com`;
  await app.ok(mia, calls.inviteSomebody, { by: 'email', to: ` ${to.toUpperCase()} ` });
  await change(mia, { language: 'en', name: 'Mia' });
  await app.ok(mia, calls.inviteSomebody, { by: 'sms', to: '(415) 555-0177' });
  await app.deliver();
  const { letters } = await app.ok(null, readOutbox, {});
  const letter = letters.find((each) => each.to === to)!;
  expect(letter.subject).toBe('小米 邀请您一起顺路拼车');
  expect(letter.text).toMatch(/https:\/\/go\.example\/intro\?inviter=[\w-]{48}\n/);
  const text = letters.find((each) => each.to === '+14155550177')!;
  expect(text.text).toMatch(/^Mia invited you to carpool on Sameway: https:\/\/go\.example\/intro\?inviter=/);
  const kept = await app.platform.db.select().from(attempts);
  expect(kept.some(({ key }) => key.includes(to) || key.includes('4155550177'))).toBe(false);
});

test('invitations are refused by field, and nobody is written to over and over', async () => {
  expect(await app.call(mia, calls.inviteSomebody, { by: 'email', to: 'nobody' })).toMatchObject({
    code: 422,
    data: { fields: { to: 'Email format error.' } },
  });
  expect(await app.call(mia, calls.inviteSomebody, { by: 'sms', to: '555 555 5555' })).toMatchObject({
    code: 422,
    reason: 'access.phoneInvalid',
  });
  const to = `${randomUUID()}@example.com`;
  for (let count = 0; count < 3; count++) {
    await app.ok(await app.person('Friend'), calls.inviteSomebody, { by: 'email', to });
  }
  expect(await app.call(mia, calls.inviteSomebody, { by: 'email', to })).toMatchObject({
    code: 422,
    reason: 'contact.invitedLately',
  });
});

const profile = { name: 'Newcomer' };

test('who signs up by an invitation is a contact of the inviter, who is remembered', async () => {
  const { code } = await app.ok(leo, calls.inviteLink, {});
  const newcomer = await app.person('New');
  await change(newcomer, { profileCompletedAt: null });
  await app.ok(newcomer, createUser, { ...profile, inviter: code });
  await app.deliver();
  expect((await app.ok(leo, calls.listContacts, {})).contacts).toMatchObject([
    { person: { id: newcomer.id }, origin: 'INVITE' },
  ]);
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, newcomer.id));
  expect(row?.inviterId).toBe(leo.id);

  // The first inviter stays; completing the profile again has no effect on it.
  const other = await app.ok(mia, calls.inviteLink, {});
  await app.ok(newcomer, createUser, { ...profile, inviter: other.code });
  await app.deliver();
  expect(await contactIds(app.platform.db, mia.id)).toEqual([]);
});

test.each(['', 'forged', 'expired', 'of a QR code'])(
  'an invitation that is %s counts as none',
  async (kind) => {
    const link = await app.ok(leo, calls.inviteLink, {});
    const qr = await app.ok(leo, calls.myQrCode, {});
    const inviter = { '': '', forged: `A${link.code.slice(1)}`, expired: link.code, 'of a QR code': qr.code }[
      kind
    ]!;
    if (kind === 'expired') app.clock.advance(90 * dayMs);
    const newcomer = await app.person('New');
    await change(newcomer, { profileCompletedAt: null });
    await app.ok(newcomer, createUser, { ...profile, inviter });
    await app.deliver();
    expect(await contactIds(app.platform.db, leo.id)).toEqual([]);
  },
);

test('an invitation opened by somebody who is here already is an application', async () => {
  const { code } = await app.ok(leo, calls.inviteLink, {});
  expect(
    await app.ok(mia, calls.scanCode, { code: `https://go.example/intro?inviter=${code}` }),
  ).toMatchObject({
    person: { id: leo.id },
    relation: 'applied',
  });
  expect((await app.ok(leo, calls.listContacts, {})).applications).toMatchObject([
    { person: { id: mia.id }, origin: 'INVITE', status: 'pending' },
  ]);
});

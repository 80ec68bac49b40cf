import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import { createUser, readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { secondMs } from '../../platform/clock.ts';
import { users } from '../../schema/identity.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { hashPassword } from './password-hash.ts';

let app: TestApp;
let mia: TestPerson;
let count = 0;
let phone = '';
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
/** As the first profile stores an unverified number. */
const typed = (who: TestPerson, number: string) =>
  app.platform.db.update(users).set({ phone: number, phoneVerifiedAt: null }).where(eq(users.id, who.id));
beforeEach(async () => {
  count += 1;
  phone = `+1415555${String(200 + count).padStart(4, '0')}`;
  mia = await app.person('Mia');
});

async function textsTo(number: string): Promise<string[]> {
  await app.deliver();
  const rows = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, number))
    .orderBy(desc(outboxMessages.at));
  return rows.map(({ body }) => body);
}
const codeSentTo = async (number: string) => /\d{6}/.exec((await textsTo(number))[0] ?? '')?.[0] ?? '';
const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000');

test('a number counts once the code from its SMS is back', async () => {
  const sent = await app.ok(mia, access.updatePhone, { phone: phone.slice(2) });
  expect(sent).toEqual({ phone, resendAfterSeconds: 60 });
  expect(await app.ok(mia, readProfile, {})).toMatchObject({ phone: '', phoneVerified: false });
  const code = await codeSentTo(phone);
  expect(await app.call(mia, access.verifyPhone, { phone, code: wrongFor(code) })).toMatchObject({
    code: 422,
    reason: 'access.codeWrong',
    data: { fields: { code: 'That code isn’t right.' } },
  });
  expect(await app.ok(mia, access.verifyPhone, { phone, code })).toEqual({ phone, phoneRegion: '+1' });
  expect(await app.ok(mia, readProfile, {})).toMatchObject({ phone, phoneVerified: true });
  expect(await app.call(mia, access.verifyPhone, { phone, code })).toMatchObject({
    reason: 'access.codeExpired',
  });
});

test('a code is good for its own number and its own person alone', async () => {
  const other = `+1415555${String(600 + count).padStart(4, '0')}`;
  const leo = await app.person('Leo');
  await app.ok(mia, access.updatePhone, { phone });
  const code = await codeSentTo(phone);
  for (const refused of [
    await app.call(mia, access.verifyPhone, { phone: other, code }),
    await app.call(leo, access.verifyPhone, { phone, code }),
  ])
    expect(refused).toMatchObject({ code: 422, reason: 'access.codeExpired' });
});

test('whoever proves a number gets it from somebody who only typed it, never from one who has proved it', async () => {
  const squatter = await app.person('Squatter');
  await typed(squatter, phone);
  await app.ok(mia, access.updatePhone, { phone });
  await app.ok(mia, access.verifyPhone, { phone, code: await codeSentTo(phone) });
  expect(await app.ok(squatter, readProfile, {})).toMatchObject({ phone: '' });
  app.clock.advance(61 * secondMs);
  expect(await app.call(squatter, access.updatePhone, { phone })).toMatchObject({
    code: 422,
    reason: 'user.phoneTaken',
  });
});

test('of two who verify one number at once, one gets it', async () => {
  const leo = await app.person('Leo');
  await app.ok(mia, access.updatePhone, { phone });
  const codeOfMia = await codeSentTo(phone);
  app.clock.advance(61 * secondMs);
  await app.ok(leo, access.updatePhone, { phone });
  const codeOfLeo = await codeSentTo(phone);
  const answers = await Promise.all([
    app.call(mia, access.verifyPhone, { phone, code: codeOfMia }),
    app.call(leo, access.verifyPhone, { phone, code: codeOfLeo }),
  ]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await app.platform.db.$count(users, eq(users.phone, phone))).toBe(1);
});

test('a phone is rung once a minute, whoever asks, and only where it can exist', async () => {
  await app.ok(mia, access.updatePhone, { phone });
  const leo = await app.person('Leo');
  expect(await app.call(leo, access.updatePhone, { phone })).toMatchObject({ code: 429 });
  expect(await app.call(leo, access.updatePhone, { phone: '555 555 5555' })).toMatchObject({
    reason: 'access.phoneInvalid',
  });
  expect(await app.call(leo, access.updatePhone, { phone: '' })).toMatchObject({
    data: { fields: { phone: 'Please enter your phone number.' } },
  });
  expect(await textsTo(phone)).toHaveLength(1);
});

test('the profile takes a number away and leaves it; another one needs its code', async () => {
  await app.ok(mia, access.updatePhone, { phone });
  await app.ok(mia, access.verifyPhone, { phone, code: await codeSentTo(phone) });
  expect(await app.ok(mia, saveProfile, { name: 'Mia', phone })).toMatchObject({ phoneVerified: true });
  const other = `+1415555${String(700 + count).padStart(4, '0')}`;
  const refused = {
    code: 422,
    reason: 'user.phoneNeedsCode',
    data: { fields: { phone: expect.any(String) } },
  };
  expect(await app.call(mia, saveProfile, { name: 'Mia', phone: other })).toMatchObject(refused);
  // Nor by completing the profile once more.
  expect(await app.call(mia, createUser, { name: 'Mia', phone: other })).toMatchObject(refused);
  expect(await app.ok(mia, readProfile, {})).toMatchObject({ phone, phoneVerified: true });
  expect(await app.ok(mia, saveProfile, { name: 'Mia', phone: '' })).toMatchObject({ phone: '' });
});

test('a number typed into the first profile signs nobody in and names no account', async () => {
  const fresh = await app.person('Fresh');
  await app.platform.db.update(users).set({ profileCompletedAt: null }).where(eq(users.id, fresh.id));
  const made = await app.ok(fresh, createUser, { name: 'Fresh', phone });
  expect(made).toMatchObject({ phone, phoneVerified: false });
  const passwordHash = await hashPassword('fresh and typed 1');
  await app.platform.db.update(users).set({ passwordHash }).where(eq(users.id, fresh.id));
  const login = { phone, password: 'fresh and typed 1' };
  expect((await app.call(null, access.login, login)).reason).toBe('access.wrong');
  expect(await app.ok(null, access.checkAccount, { phone })).toEqual({ exists: false });
  await app.platform.db.update(users).set({ phoneVerifiedAt: app.clock.now() }).where(eq(users.id, fresh.id));
  expect((await app.call(null, access.login, login)).code).toBe(200);
});

test('a verified phone gets the code for a new password; a typed one and an unknown one get nothing', async () => {
  const number = `+1415555${String(800 + count).padStart(4, '0')}`;
  const unknown = `+1415555${String(900 + count).padStart(4, '0')}`;
  await typed(await app.person('Typed'), number);
  await app.ok(mia, access.updatePhone, { phone });
  await app.ok(mia, access.verifyPhone, { phone, code: await codeSentTo(phone) });
  const answers = [];
  for (const each of [phone, number, unknown])
    answers.push(await app.call(null, access.retrievePassword, { phone: each }));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect([await textsTo(number), await textsTo(unknown)]).toEqual([[], []]);
  const code = await codeSentTo(phone);
  await app.ok(null, access.retrievePasswordConfirm, { phone, code, password: 'seventeen ducks' });
  const session = await app.ok(null, access.login, { phone, password: 'seventeen ducks' });
  expect(session.id).toBe(mia.id);
  expect(await app.call(null, access.retrievePassword, {})).toMatchObject({ reason: 'access.nameMissing' });
});

import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import { readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { secondMs } from '../../base/clock.ts';
import { outboxLetters } from '../../tables/house.ts';
import { users } from '../../tables/identity.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';

let house: TestHouse;
let mia: TestPerson;
let count = 0;
let phone = '';
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());
beforeEach(async () => {
  count += 1;
  phone = `+1415555${String(200 + count).padStart(4, '0')}`;
  mia = await house.person('Mia');
});

async function textsTo(number: string): Promise<string[]> {
  await house.deliver();
  const rows = await house.base.db
    .select()
    .from(outboxLetters)
    .where(eq(outboxLetters.recipient, number))
    .orderBy(desc(outboxLetters.at));
  return rows.map(({ body }) => body);
}
const codeSentTo = async (number: string) => /\d{6}/.exec((await textsTo(number))[0] ?? '')?.[0] ?? '';
const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000');

test('a number counts once the code from its SMS is back', async () => {
  const sent = await house.ok(mia, access.updatePhone, { phone: phone.slice(2) });
  expect(sent).toEqual({ phone, resendAfterSeconds: 60 });
  expect(await house.ok(mia, readProfile, {})).toMatchObject({ phone: '', phoneVerified: false });
  const code = await codeSentTo(phone);
  expect(await house.call(mia, access.verifyPhone, { phone, code: wrongFor(code) })).toMatchObject({
    code: 422,
    reason: 'access.codeWrong',
    data: { fields: { code: 'This code is wrong.' } },
  });
  expect(await house.ok(mia, access.verifyPhone, { phone, code })).toEqual({ phone, phoneRegion: '+1' });
  expect(await house.ok(mia, readProfile, {})).toMatchObject({ phone, phoneVerified: true });
  expect(await house.call(mia, access.verifyPhone, { phone, code })).toMatchObject({
    reason: 'access.codeExpired',
  });
});

test('a code is good for its own number and its own person alone', async () => {
  const other = `+1415555${String(600 + count).padStart(4, '0')}`;
  const leo = await house.person('Leo');
  await house.ok(mia, access.updatePhone, { phone });
  const code = await codeSentTo(phone);
  for (const refused of [
    await house.call(mia, access.verifyPhone, { phone: other, code }),
    await house.call(leo, access.verifyPhone, { phone, code }),
  ])
    expect(refused).toMatchObject({ code: 422, reason: 'access.codeExpired' });
});

test('whoever proves a number gets it from somebody who only typed it, never from one who has proved it', async () => {
  const squatter = await house.person('Squatter');
  await house.ok(squatter, saveProfile, { name: 'Squatter', phone });
  await house.ok(mia, access.updatePhone, { phone });
  await house.ok(mia, access.verifyPhone, { phone, code: await codeSentTo(phone) });
  expect(await house.ok(squatter, readProfile, {})).toMatchObject({ phone: '' });
  house.clock.advance(61 * secondMs);
  expect(await house.call(squatter, access.updatePhone, { phone })).toMatchObject({
    code: 422,
    reason: 'user.phoneTaken',
  });
});

test('of two who verify one number at once, one gets it', async () => {
  const leo = await house.person('Leo');
  await house.ok(mia, access.updatePhone, { phone });
  const codeOfMia = await codeSentTo(phone);
  house.clock.advance(61 * secondMs);
  await house.ok(leo, access.updatePhone, { phone });
  const codeOfLeo = await codeSentTo(phone);
  const answers = await Promise.all([
    house.call(mia, access.verifyPhone, { phone, code: codeOfMia }),
    house.call(leo, access.verifyPhone, { phone, code: codeOfLeo }),
  ]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await house.base.db.$count(users, eq(users.phone, phone))).toBe(1);
});

test('a phone is rung once a minute, whoever asks, and only where it can exist', async () => {
  await house.ok(mia, access.updatePhone, { phone });
  const leo = await house.person('Leo');
  expect(await house.call(leo, access.updatePhone, { phone })).toMatchObject({ code: 429 });
  expect(await house.call(leo, access.updatePhone, { phone: '555 555 5555' })).toMatchObject({
    reason: 'access.phoneInvalid',
  });
  expect(await house.call(leo, access.updatePhone, { phone: '' })).toMatchObject({
    data: { fields: { phone: 'Please enter your phone number.' } },
  });
  expect(await textsTo(phone)).toHaveLength(1);
});

test('another number in the profile is not verified; the same one stays so', async () => {
  await house.ok(mia, access.updatePhone, { phone });
  await house.ok(mia, access.verifyPhone, { phone, code: await codeSentTo(phone) });
  expect(await house.ok(mia, saveProfile, { name: 'Mia', phone })).toMatchObject({ phoneVerified: true });
  const other = `+1415555${String(700 + count).padStart(4, '0')}`;
  expect(await house.ok(mia, saveProfile, { name: 'Mia', phone: other })).toMatchObject({
    phone: other,
    phoneVerified: false,
  });
});

test('a verified phone gets the code for a new password; a typed one and an unknown one get nothing', async () => {
  const typed = `+1415555${String(800 + count).padStart(4, '0')}`;
  const unknown = `+1415555${String(900 + count).padStart(4, '0')}`;
  await house.ok(await house.person('Typed'), saveProfile, { name: 'Typed', phone: typed });
  await house.ok(mia, access.updatePhone, { phone });
  await house.ok(mia, access.verifyPhone, { phone, code: await codeSentTo(phone) });
  const answers = [];
  for (const number of [phone, typed, unknown])
    answers.push(await house.call(null, access.retrievePassword, { phone: number }));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect([await textsTo(typed), await textsTo(unknown)]).toEqual([[], []]);
  const code = await codeSentTo(phone);
  await house.ok(null, access.retrievePasswordConfirm, { phone, code, password: 'seventeen ducks' });
  const session = await house.ok(null, access.login, { phone, password: 'seventeen ducks' });
  expect(session.id).toBe(mia.id);
  expect(await house.call(null, access.retrievePassword, {})).toMatchObject({ reason: 'access.nameMissing' });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import {
  changeContactType,
  createUser,
  readProfile,
  registerDevice,
  saveProfile,
} from '#contract/user/endpoints.ts';
import { devices, users } from '../../schema/identity.ts';
import { licenses } from '../../schema/vehicles.ts';
import { emitted } from '../../testing/emitted.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { peopleByIds, contactDetailsOf } from './people.ts';
import { countStars, countRide } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a profile is completed once and saved again, and others hear of it', async () => {
  const mia = await app.person('Mia');
  await app.platform.db.update(users).set({ profileCompletedAt: null }).where(eq(users.id, mia.id));
  const fields = {
    name: 'Mia Torres',
    lastName: 'Torres',
    gender: 'female',
    phone: '(415) 555-0132',
  } as const;
  const made = await app.ok(mia, createUser, fields);
  expect(made).toMatchObject({ ...fields, phone: '+14155550132', rating: null, savedCo2Grams: 0 });
  const saved = await app.ok(mia, saveProfile, { name: 'Mia T.', phone: '', language: 'zh' });
  expect(saved).toMatchObject({ name: 'Mia T.', phone: '', lastName: '', language: 'zh' });
  expect(await app.ok(mia, readProfile, {})).toEqual(saved);
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, mia.id));
  expect(row?.profileCompletedAt).not.toBeNull();
  const heard = await emitted(app.platform.db, 'profile.changed');
  expect(heard.map((signal) => signal.payload)).toContainEqual({ userId: mia.id });
});

test.each([
  ['an emoji family', '👩‍👩‍👧 Kim'],
  ['right-to-left', 'مريم'],
  ['a zero-width joiner inside', 'Mi\u200da'],
  ['markup', '<b onclick="x()">Bob</b>'],
  ['a quote', `'; drop table users; --`],
])('%s is kept as text: %s', async (_, name) => {
  const person = await app.person('Somebody');
  expect(await app.ok(person, saveProfile, { name })).toMatchObject({ name });
  expect((await peopleByIds(app.platform, [person.id])).get(person.id)).toMatchObject({ name });
});

test('what turns the direction of the words around a name is taken out', async () => {
  const person = await app.person('Somebody');
  expect(await app.ok(person, saveProfile, { name: 'evil\u202Etxt' })).toMatchObject({ name: 'eviltxt' });
});

test.each(['', '   ', '\u200b\u200d', '\u202e'])('a name of nothing visible is refused: %j', async (name) => {
  const person = await app.person('Somebody');
  const refused = await app.call(person, saveProfile, { name });
  expect(refused).toMatchObject({ code: 422, data: { fields: { name: 'Please enter your name.' } } });
});

test('a phone belongs to one account, also when two take it at once', async () => {
  const people = await Promise.all([app.person('One'), app.person('Two')]);
  const phone = '+14155550188';
  for (const { id } of people)
    await app.platform.db.update(users).set({ profileCompletedAt: null }).where(eq(users.id, id));
  const answers = await Promise.all(
    people.map((each) => app.call(each, createUser, { name: 'Same', phone })),
  );
  expect(answers.map((each) => each.code).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(answers.find((each) => each.code === 422)).toMatchObject({ reason: 'user.phoneTaken' });
  const [one] = people;
  expect(await app.call(one ?? null, saveProfile, { name: 'One', phone: '12' })).toMatchObject({
    code: 422,
    reason: 'access.phoneInvalid',
  });
});

test('nobody becomes an admin by saving a profile', async () => {
  const person = await app.person('Sly');
  await app.call(person, saveProfile, { name: 'Sly' }, { isAdmin: true, ratingSum: 500, ratingCount: 100 });
  expect(await app.ok(person, readProfile, {})).toMatchObject({ isAdmin: false, rating: null });
});

test('a device that launches again is one device', async () => {
  const mia = await app.person('Mia');
  const made = { userAgent: 'Test', screen: '390x844', platform: 'Linux', language: 'en' };
  const device = { ...made, createTime: 1_790_000_000_000 };
  await app.ok(mia, registerDevice, { ...device, lastLaunchTime: 1_790_000_000_000 });
  await app.ok(mia, registerDevice, { ...device, lastLaunchTime: 1_790_000_500_000, pushCid: 'abc' });
  const kept = await app.platform.db.select().from(devices).where(eq(devices.userId, mia.id));
  expect(kept).toMatchObject([
    {
      ...made,
      pushCid: 'abc',
      clientType: 'H5',
      createTime: new Date(1_790_000_000_000),
      lastLaunchTime: new Date(1_790_000_500_000),
    },
  ]);
  const refused = await app.call(mia, registerDevice, { ...device, lastLaunchTime: 1e20 });
  expect(refused.code).toBe(422);
});

test('rating, rides and a license show as they stand', async () => {
  const { db } = app.platform;
  const leo = await app.person('Leo');
  await countStars(db, leo.id, 5);
  await countStars(db, leo.id, 4);
  await countStars(db, leo.id, 4);
  await countRide(db, leo.id, 16_093);
  const license = { userId: leo.id, createdAt: app.clock.now() };
  await db.insert(licenses).values({ ...license, id: crypto.randomUUID(), status: 'Accepted' });
  expect((await peopleByIds(app.platform, [leo.id, crypto.randomUUID()])).get(leo.id)).toEqual({
    id: leo.id,
    name: 'Leo',
    avatar: '',
    rating: 4.3,
    ratingCount: 3,
    completedRides: 1,
    verifiedDriver: true,
  });
  // Ten miles at 400 grams.
  expect(await app.ok(leo, readProfile, {})).toMatchObject({
    rating: 4.3,
    ratingCount: 3,
    sharedMetres: 16_093,
    savedCo2Grams: 4000,
    license: 'Accepted',
  });

  const newer = { ...license, createdAt: new Date(license.createdAt.getTime() + 1000) };
  await db.insert(licenses).values({ ...newer, id: crypto.randomUUID(), status: 'Reject' });
  expect((await peopleByIds(app.platform, [leo.id])).get(leo.id)).toMatchObject({ verifiedDriver: false });
});

test('how a person prefers to be contacted is kept', async () => {
  const mia = await app.person('Mia');
  expect(await app.ok(mia, changeContactType, { prefer: 'chat' })).toEqual({ prefer: 'chat' });
  expect((await contactDetailsOf(app.platform, [mia.id])).get(mia.id)).toEqual({
    phone: '',
    phoneVerified: false,
    phoneSeenBy: 'joined',
    email: mia.email,
    preferContactWith: 'chat',
    language: 'en',
  });
});

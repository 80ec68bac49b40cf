import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import * as access from '#contract/access/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { minuteMs, secondMs } from '../../platform/clock.ts';
import { emailCodes, signups, users } from '../../schema/identity.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { browserOf } from '../../testing/browser.ts';
import { retryAfter } from '../../testing/envelopes.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

const password = 'correct-donkey-tram';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { ALLOWED_EMAIL_DOMAINS: 'example.com, UCSC.edu' } });
});
afterAll(() => app.close());

const emailsTo = async (email: string) => {
  await app.deliver();
  return app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
};
/** The code of the newest email: a test that has several sent delivers each before the clock moves on. */
const codeSentTo = async (email: string) => {
  const letters = await emailsTo(email);
  const newest = letters.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  return /\d{6}/.exec(newest?.subject ?? '')?.[0] ?? '';
};
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

test('a person signs up, reads the code in the email and is signed in', async () => {
  const email = 'nora@example.com';
  const started = await app.ok(null, access.signup, {
    email: ' Nora@Example.com ',
    phone: '(831) 555-0142',
    password,
  });
  expect(started).toEqual({ resendAfterSeconds: 60 });
  expect(await app.ok(null, access.checkAccount, { email })).toEqual({ exists: false });

  const [letter] = await emailsTo(email);
  const code = await codeSentTo(email);
  expect(letter?.body).toContain(code);
  const user = await app.ok(null, access.verifyEmail, { email, code });
  expect(user).toMatchObject({
    email,
    phone: '+18315550142',
    phoneNumber: '8315550142',
    phoneRegion: '+1',
    preferContactWith: 'phone',
    authed: true,
    isAdmin: false,
    profileMissing: true,
  });
  expect(user.expiresAt - app.clock.now().getTime()).toBeGreaterThan(59 * minuteMs);
  expect(user.expiresAt - app.clock.now().getTime()).toBeLessThanOrEqual(60 * minuteMs);
  const me = { id: user.id, email, token: user.accessToken };
  expect(await app.ok(me, readProfile, {})).toMatchObject({ email, name: '', license: 'none' });
  expect(await app.ok(null, access.checkAccount, { email })).toEqual({ exists: true });
  // The number is unverified.
  expect(await app.ok(null, access.checkAccount, { phone: '831 555 0142' })).toEqual({ exists: false });

  const again = await app.call(null, access.verifyEmail, { email, code });
  expect(again).toMatchObject({ code: 422, reason: 'access.codeExpired' });
  const taken = await app.call(null, access.signup, { email, password });
  expect(taken).toMatchObject({ code: 422, reason: 'access.emailTaken' });
});

test('without a password the code alone opens the account; no password does until one is set by a code', async () => {
  const email = 'codeonly@example.com';
  await app.ok(null, access.signup, { email });
  const user = await app.ok(null, access.verifyEmail, { email, code: await codeSentTo(email) });
  expect(user).toMatchObject({ email, authed: true, profileMissing: true });
  for (const tried of [password, ' ', 'null'])
    expect(await app.call(null, access.login, { email, password: tried })).toMatchObject({
      reason: 'access.wrong',
    });
  expect((await app.call(null, access.login, { email, password: '' })).code).toBe(422);
  app.clock.advance(2 * minuteMs);
  await app.ok(null, access.retrievePassword, { email });
  const code = await codeSentTo(email);
  await app.ok(null, access.retrievePasswordConfirm, { email, code, password });
  expect((await app.call(null, access.login, { email, password })).code).toBe(200);
});

test('neither codes nor passwords are stored as they are', async () => {
  const email = 'hidden@example.com';
  await app.ok(null, access.signup, { email, password });
  const code = await codeSentTo(email);
  const [signup] = await app.platform.db.select().from(signups).where(eq(signups.email, email));
  const [kept] = await app.platform.db
    .select()
    .from(emailCodes)
    .where(eq(emailCodes.email, `${email}:${signup?.id}`));
  expect(kept?.codeHash).toMatch(/^[\w-]{43}$/);
  expect(kept?.codeHash).not.toContain(code);
  expect(signup?.passwordHash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(signup)).not.toContain(password);
});

test('a code belongs to its own sign-up: the code of one never confirms the password of another', async () => {
  const email = 'victim@example.com';
  const theirs = 'attackers own words 1';
  const [victim, attacker] = [browserOf(app), browserOf(app)];
  await victim.ok(access.signup, { email, password });
  const first = await codeSentTo(email);
  await app.deliver();
  app.clock.advance(61 * secondMs);
  await attacker.ok(access.signup, { email, password: theirs });
  const second = await codeSentTo(email);
  // The newer email is not about what was typed in this browser.
  if (second !== first)
    expect(await victim.call(access.verifyEmail, { email, code: second })).toMatchObject({
      code: 422,
      reason: 'access.codeWrong',
    });
  // The code of this browser's sign-up still works, and creates the account with its password.
  const user = await victim.ok(access.verifyEmail, { email, code: first });
  expect(user.email).toBe(email);
  expect((await app.call(null, access.login, { email, password })).code).toBe(200);
  expect((await app.call(null, access.login, { email, password: theirs })).code).toBe(422);
  expect((await attacker.call(access.verifyEmail, { email, code: second })).reason).toBe(
    'access.codeExpired',
  );
});

test('typed in another browser, the code of a contested address makes an account that nobody has a password for', async () => {
  const email = 'contested@example.com';
  const theirs = 'attackers own words 2';
  await app.ok(null, access.signup, { email, password });
  await app.deliver();
  app.clock.advance(61 * secondMs);
  await app.ok(null, access.signup, { email, password: theirs });
  const user = await app.ok(null, access.verifyEmail, { email, code: await codeSentTo(email) });
  expect(user.accessToken).not.toBe('');
  for (const typed of [password, theirs])
    expect((await app.call(null, access.login, { email, password: typed })).code).toBe(422);
  // The owner of the address sets one.
  await app.ok(null, access.retrievePassword, { email });
  const code = await codeSentTo(email);
  await app.ok(null, access.retrievePasswordConfirm, { email, code, password: 'set by its owner 3' });
  expect((await app.call(null, access.login, { email, password: 'set by its owner 3' })).code).toBe(200);
});

test('signing up again in one browser counts anew, and a fresh code goes to that sign-up', async () => {
  const email = 'typo@example.com';
  const browser = browserOf(app);
  await browser.ok(access.signup, { email, password: 'mistyped words 12' });
  await app.deliver();
  app.clock.advance(61 * secondMs);
  await browser.ok(access.signup, { email, password });
  await app.deliver();
  app.clock.advance(61 * secondMs);
  await browser.ok(access.resendEmailCode, { email });
  await browser.ok(access.verifyEmail, { email, code: await codeSentTo(email) });
  expect((await app.call(null, access.login, { email, password })).code).toBe(200);
});

test.each([
  ['nora', 'input.invalid', 'email', 'Email format error.'],
  [
    'nora@elsewhere.org',
    'access.domainNotAllowed',
    'email',
    'Only emails from allowed domains (example.com, ucsc.edu) are supported.',
  ],
  [
    'nora@sub.example.com',
    'access.domainNotAllowed',
    'email',
    'Only emails from allowed domains (example.com, ucsc.edu) are supported.',
  ],
])('%s is refused in the specification’s words', async (email, reason, field, sentence) => {
  const refused = await app.call(null, access.signup, { email, password });
  expect(refused).toMatchObject({
    code: 422,
    reason,
    info: sentence,
    data: { fields: { [field]: sentence } },
  });
});

test('weak passwords and impossible phones are refused before any email is written', async () => {
  const email = 'weak@example.com';
  for (const [fields, reason] of [
    [{ password: 'short' }, 'input.invalid'],
    [{ password: 'Password2024!' }, 'access.passwordCommon'],
    [{ password, phone: '555 555 5555' }, 'access.phoneInvalid'],
  ] as const)
    expect(await app.call(null, access.signup, { email, ...fields })).toMatchObject({ code: 422, reason });
  expect(await emailsTo(email)).toEqual([]);
});

test('five wrong codes use a code up: the sixth try fails even when it is right', async () => {
  const email = 'tries@example.com';
  await app.ok(null, access.signup, { email, password });
  const code = await codeSentTo(email);
  for (let tries = 1; tries <= 5; tries++)
    expect(await app.call(null, access.verifyEmail, { email, code: wrongFor(code) })).toMatchObject({
      code: 422,
      reason: 'access.codeWrong',
    });
  const sixth = await app.call(null, access.verifyEmail, { email, code });
  expect(sixth).toMatchObject({ code: 422, reason: 'access.codeExpired' });
});

test('tries made at the same moment are counted one by one', async () => {
  const email = 'storm@example.com';
  await app.ok(null, access.signup, { email, password });
  const wrong = wrongFor(await codeSentTo(email));
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => app.call(null, access.verifyEmail, { email, code: wrong })),
  );
  expect(answers.filter((each) => each.reason === 'access.codeWrong')).toHaveLength(5);
  expect(answers.filter((each) => each.reason === 'access.codeExpired')).toHaveLength(7);
});

test('a code is over after 15 minutes, and a fresh one replaces it', async () => {
  const email = 'late@example.com';
  await app.ok(null, access.signup, { email, password });
  const first = await codeSentTo(email);
  app.clock.advance(15 * minuteMs + secondMs);
  const late = await app.call(null, access.verifyEmail, { email, code: first });
  expect(late).toMatchObject({ code: 422, reason: 'access.codeExpired' });
  await app.ok(null, access.resendEmailCode, { email });
  await app.ok(null, access.verifyEmail, { email, code: await codeSentTo(email) });
});

test('a code is sent again after a minute, not before', async () => {
  const email = 'again@example.com';
  await app.ok(null, access.signup, { email, password });
  app.clock.advance(20 * secondMs);
  for (const refused of [
    await app.call(null, access.resendEmailCode, { email }),
    await app.call(null, access.signup, { email, password: 'another-donkey-tram' }),
  ]) {
    expect(refused).toMatchObject({ code: 429, reason: 'rate.limited' });
    const retryAfterSeconds = retryAfter(refused);
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(39);
    expect(retryAfterSeconds).toBeLessThanOrEqual(40);
  }
  await app.deliver();
  app.clock.advance(41 * secondMs);
  await app.ok(null, access.resendEmailCode, { email });
  expect(await emailsTo(email)).toHaveLength(2);
  await app.ok(null, access.verifyEmail, { email, code: await codeSentTo(email) });
});

test('a fresh code for nobody answers the same and writes no email', async () => {
  const answer = await app.ok(null, access.resendEmailCode, { email: 'nobody@example.com' });
  expect(answer).toEqual({ resendAfterSeconds: 60 });
  expect(await emailsTo('nobody@example.com')).toEqual([]);
});

test('two sign-ups at once for one e-mail make one email and one account', async () => {
  const email = 'twice@example.com';
  const answers = await Promise.all([
    app.call(null, access.signup, { email, password }),
    app.call(null, access.signup, { email, password }),
  ]);
  expect(answers.map((each) => each.code).toSorted((a, b) => a - b)).toEqual([200, 429]);
  expect(await emailsTo(email)).toHaveLength(1);
  const code = await codeSentTo(email);
  const verified = await Promise.all([
    app.call(null, access.verifyEmail, { email, code }),
    app.call(null, access.verifyEmail, { email, code }),
  ]);
  expect(verified.map((each) => each.code).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await app.platform.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
});

test('a phone that was taken meanwhile does not stop the account', async () => {
  const phone = '+14155550177';
  await app.ok(null, access.signup, { email: 'slow@example.com', phone, password });
  await app.ok(null, access.signup, { email: 'fast@example.com', phone, password });
  const verify = async (email: string) =>
    app.ok(null, access.verifyEmail, { email, code: await codeSentTo(email) });
  expect(await verify('fast@example.com')).toMatchObject({ phone });
  expect(await verify('slow@example.com')).toMatchObject({ phone: '', phoneRegion: '+1' });
  // An unverified number blocks no other sign-up; a verified one does.
  expect((await app.call(null, access.signup, { email: 'third@example.com', phone, password })).code).toBe(
    200,
  );
  await app.deliver();
  app.clock.advance(61 * secondMs);
  await app.platform.db.update(users).set({ phoneVerifiedAt: app.clock.now() }).where(eq(users.phone, phone));
  const refused = await app.call(null, access.signup, { email: 'third@example.com', phone, password });
  expect(refused).toMatchObject({ code: 422, reason: 'user.phoneTaken' });
});

test('emails are written in the language of the sign-up', async () => {
  const email = 'leo@example.com';
  await app.ok(null, access.signup, { email, password, language: 'zh' });
  const [letter] = await emailsTo(email);
  expect(letter?.subject).toMatch(/^\d{6} 是您的顺路验证码$/);
  const user = await app.ok(null, access.verifyEmail, { email, code: await codeSentTo(email) });
  const me = { id: user.id, email, token: user.accessToken };
  expect(await app.ok(me, readProfile, {})).toMatchObject({ language: 'zh' });
});

test('the allowed domains can be asked for', async () => {
  expect(await app.ok(null, access.allowedEmailDomains, {})).toEqual({
    domains: ['example.com', 'ucsc.edu'],
  });
});

test('who does not want to be found by an e-mail has no account for those who ask, ten times a quarter of an hour', async () => {
  app.clock.advance(16 * minuteMs);
  const person = await app.person('Hidden');
  const ask = () => app.call(null, access.checkAccount, { email: person.email });
  expect((await ask()).data).toEqual({ exists: true });
  await app.platform.db.update(users).set({ foundByEmail: false }).where(eq(users.id, person.id));
  expect((await ask()).data).toEqual({ exists: false });
  for (let more = 2; more < 10; more++) expect((await ask()).code).toBe(200);
  expect(await ask()).toMatchObject({ code: 429, data: { retryAfterSeconds: expect.any(Number) } });
});

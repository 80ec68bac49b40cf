import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import * as calls from '#contract/access/second-factor.ts';
import { listUsers } from '#contract/admin/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts';
import { attempts, outboxMessages } from '../../../schema/platform.ts';
import { totpSecrets } from '../../../schema/identity.ts';
import { codeShown, fromBase32 } from '../../../testing/authenticator.ts';
import { PasskeyDevice } from '../../../testing/passkey-device.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { enrollAccount } from '../../../testing/enroll-account.ts';
import { resetFactors } from './change-factors.ts';

const origin = 'https://ride.example.com';
const password = 'correct-donkey-tram';
let app: TestApp;
let me: TestPerson;
let count = 0;
let email = '';
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: origin } });
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  email = `person${count}@example.com`;
  await enrollAccount(app.platform, { email, phone: '', name: 'Nora', password, language: 'en' });
  me = as(await app.ok(null, access.login, { email, password }));
});

const as = (user: access.SessionUser): TestPerson => ({ id: user.id, email, token: user.accessToken });
const login = () => app.call(null, access.login, { email, password });
/** The ticket of a sign-in with the right password. */
async function ticket(): Promise<string> {
  const { code, reason, data } = await login();
  expect([code, reason]).toEqual([403, 'access.secondStep']);
  return (data as unknown as { ticket: string }).ticket;
}
const codeNow = (secret: string): string => codeShown(secret, app.clock.now());
const letters = async () => {
  await app.deliver();
  const rows = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, email))
    .orderBy(outboxMessages.at);
  return rows.map(({ subject }) => subject);
};
async function turnTotpOn(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await app.ok(me, calls.beginTotp, {});
  const { recoveryCodes } = await app.ok(me, calls.confirmTotp, { code: codeNow(secret) });
  app.clock.advance(minuteMs);
  return { secret, recoveryCodes };
}
async function addPasskey(device: PasskeyDevice, name = 'My phone') {
  const { challengeId, options } = await app.ok(me, calls.beginPasskey, {});
  return app.ok(me, calls.addPasskey, { challengeId, name, passkey: device.make(options.challenge) });
}
async function signInWith(device: PasskeyDevice) {
  const { challengeId, options } = await app.ok(null, calls.passkeySignInOptions, {});
  return app.call(null, calls.signInByPasskey, { challengeId, passkey: device.sign(options.challenge) });
}

describe('an authenticator app', () => {
  test('counts once its first code is right, and then every sign-in asks for one', async () => {
    const { secret, uri } = await app.ok(me, calls.beginTotp, {});
    expect(uri).toContain(`secret=${secret}`);
    expect((await login()).code).toBe(200);
    expect(await app.call(me, calls.confirmTotp, { code: '000000' })).toMatchObject({
      code: 422,
      reason: 'factor.wrong',
      data: { fields: { code: expect.any(String) } },
    });
    const { recoveryCodes } = await app.ok(me, calls.confirmTotp, { code: codeNow(secret) });
    expect(recoveryCodes).toHaveLength(calls.recoveryCodeCount);
    expect(await app.ok(me, calls.readSecondFactor, {})).toMatchObject({
      totpSince: expect.any(String),
      recoveryCodesLeft: 10,
      isRequired: false,
    });
    app.clock.advance(minuteMs);
    const first = await ticket();
    const wrong = await app.call(null, calls.secondStep, { ticket: first, code: '000000' });
    expect(wrong.reason).toBe('factor.wrong');
    const user = await app.ok(null, calls.secondStep, { ticket: first, code: codeNow(secret) });
    expect((await app.call(as(user), readProfile, {})).code).toBe(200);
    expect(await letters()).toEqual(['An authenticator app now protects your Sameway account']);
  });

  test('each code and each ticket is used once', async () => {
    const { secret } = await turnTotpOn();
    const [one, two] = [await ticket(), await ticket()];
    const code = codeNow(secret);
    const both = await Promise.all(
      [one, two].map((each) => app.call(null, calls.secondStep, { ticket: each, code })),
    );
    expect(both.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, 422]);
    app.clock.advance(minuteMs);
    const used = both[0]!.code === 200 ? one : two;
    const again = await app.call(null, calls.secondStep, { ticket: used, code: codeNow(secret) });
    expect(again.reason).toBe('factor.expired');
  });

  test('a ticket lasts ten minutes, and ends with a new password', async () => {
    const { secret } = await turnTotpOn();
    const late = await ticket();
    app.clock.advance(10 * minuteMs + secondMs);
    expect((await app.call(null, calls.secondStep, { ticket: late, code: codeNow(secret) })).reason).toBe(
      'factor.expired',
    );
    const old = await ticket();
    await app.ok(null, access.retrievePassword, { email });
    const code = /\d{6}/.exec((await letters()).at(-1) ?? '')![0];
    await app.ok(null, access.retrievePasswordConfirm, { email, code, password: 'another-donkey-tram' });
    expect((await app.call(null, calls.secondStep, { ticket: old, code: codeNow(secret) })).reason).toBe(
      'factor.expired',
    );
    // A new password does not replace the second factor.
    const answer = await app.call(null, access.login, { email, password: 'another-donkey-tram' });
    expect(answer.reason).toBe('access.secondStep');
  });
});

test('after a few wrong codes of an app its person gets one email a day; after fifty it takes another way in', async () => {
  const { secret, recoveryCodes } = await turnTotpOn();
  const told = async () =>
    (await letters()).filter((subject) => subject === 'Wrong security codes for your Sameway account').length;
  const guess = async (many: number) => {
    const given = { ticket: await ticket(), code: '000000' };
    const reasons = [];
    for (let tried = 0; tried < many; tried++)
      reasons.push((await app.call(null, calls.secondStep, given)).reason);
    return [...new Set(reasons)];
  };
  const enter = async (code: string) => app.call(null, calls.secondStep, { ticket: await ticket(), code });
  expect(await guess(4)).toEqual(['factor.wrong']);
  // A right code begins the count again.
  expect((await enter(codeNow(secret))).code).toBe(200);
  app.clock.advance(minuteMs);
  expect(await guess(4)).toEqual(['factor.wrong']);
  expect(await told()).toBe(0);
  expect(await guess(2)).toEqual(['factor.wrong']);
  expect(await told()).toBe(1);

  // Guesses of the weeks between.
  const total = eq(attempts.key, `factor-wrong:${me.id}`);
  await app.platform.db.update(attempts).set({ count: 49 }).where(total);
  app.clock.advance(25 * hourMs);
  expect(await guess(1)).toEqual(['factor.wrong']);
  expect(await guess(2)).toEqual(['factor.wrongTooOften']);
  expect((await enter(codeNow(secret))).reason).toBe('factor.wrongTooOften');
  expect(await told()).toBe(2);
  expect((await enter(recoveryCodes[0]!)).code).toBe(200);
  expect((await enter(codeNow(secret))).code).toBe(200);
});

describe('the codes of an app', () => {
  test('ten wrong codes lock the second step for a while, not the passkey', async () => {
    const device = new PasskeyDevice(origin);
    await addPasskey(device);
    const { secret } = await turnTotpOn();
    const open = await ticket();
    for (let tried = 0; tried < 10; tried++)
      await app.call(null, calls.secondStep, { ticket: open, code: '000000' });
    expect((await app.call(null, calls.secondStep, { ticket: open, code: codeNow(secret) })).code).toBe(429);
    expect((await signInWith(device)).code).toBe(200);
    app.clock.advance(15 * minuteMs);
    const fresh = await ticket();
    expect((await app.call(null, calls.secondStep, { ticket: fresh, code: codeNow(secret) })).code).toBe(200);
  });

  test('its secret is sealed, and opens for its person alone', async () => {
    const { secret } = await app.ok(me, calls.beginTotp, {});
    const [row] = await app.platform.db.select().from(totpSecrets).where(eq(totpSecrets.userId, me.id));
    expect(row!.secret).not.toContain(secret);
    expect(await app.platform.seal.open(row!.secret, me.id)).toEqual(fromBase32(secret));
    await expect(app.platform.seal.open(row!.secret, crypto.randomUUID())).rejects.toThrow();
  });

  test('is turned off by its person, who gets an email; the recovery codes go with the last factor', async () => {
    await turnTotpOn();
    expect((await app.call(me, calls.beginTotp, {})).reason).toBe('factor.totpOn');
    await app.ok(me, calls.removeTotp, {});
    expect((await login()).code).toBe(200);
    expect((await app.call(me, calls.removeTotp, {})).code).toBe(404);
    expect(await app.ok(me, calls.readSecondFactor, {})).toMatchObject({
      totpSince: null,
      recoveryCodesLeft: 0,
    });
    expect(await letters()).toContain('The authenticator app was removed from your Sameway account');
  });
});

test('a recovery code signs in once, however it is typed, and says how many are left', async () => {
  const { recoveryCodes } = await turnTotpOn();
  const code = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ');
  await app.ok(null, calls.secondStep, { ticket: await ticket(), code });
  const again = await app.call(null, calls.secondStep, { ticket: await ticket(), code });
  expect(again.reason).toBe('factor.wrong');
  expect((await app.ok(me, calls.readSecondFactor, {})).recoveryCodesLeft).toBe(9);
  expect(await letters()).toContain('A recovery code was used for your Sameway account');
  const { recoveryCodes: fresh } = await app.ok(me, calls.renewRecoveryCodes, {});
  const old = await app.call(null, calls.secondStep, { ticket: await ticket(), code: recoveryCodes[5]! });
  expect(old.reason).toBe('factor.wrong');
  await app.ok(null, calls.secondStep, { ticket: await ticket(), code: fresh[0]! });
});

describe('a passkey', () => {
  test('signs in without a password, and is the second step after one', async () => {
    const device = new PasskeyDevice(origin);
    const { passkey, recoveryCodes } = await addPasskey(device);
    expect(passkey.name).toBe('My phone');
    expect(recoveryCodes).toHaveLength(10);
    const signedIn = await signInWith(device);
    expect(signedIn.data).toMatchObject({ id: me.id, authed: true });
    const open = await ticket();
    const { challengeId, options } = await app.ok(null, calls.secondStepOptions, { ticket: open });
    const step = { ticket: open, challengeId, passkey: device.sign(options.challenge) };
    expect((await app.call(null, calls.secondStep, step)).code).toBe(200);
    expect((await app.call(null, calls.secondStep, step)).reason).toBe('factor.expired');
    expect((await app.ok(me, calls.readSecondFactor, {})).passkeys[0]!.usedAt).not.toBeNull();
  });

  test('is refused for another challenge, another server, without the screen lock, and as a copy', async () => {
    const device = new PasskeyDevice(origin);
    await addPasskey(device);
    const { challengeId } = await app.ok(null, calls.passkeySignInOptions, {});
    const foreign = { challengeId, passkey: device.sign(Buffer.alloc(32).toString('base64url')) };
    expect((await app.call(null, calls.signInByPasskey, foreign)).reason).toBe('factor.passkeyRefused');
    const elsewhere = Object.assign(device.copy(), { origin: 'https://ride.example.org' });
    expect((await signInWith(elsewhere)).reason).toBe('factor.passkeyRefused');
    const lent = Object.assign(device.copy(), { isVerified: false });
    expect((await signInWith(lent)).reason).toBe('factor.passkeyRefused');
    const copied = device.copy();
    expect((await signInWith(device)).code).toBe(200);
    expect((await signInWith(copied)).reason).toBe('factor.passkeyRefused');
    expect((await signInWith(new PasskeyDevice(origin))).reason).toBe('factor.passkeyRefused');
  });

  test('of one person is no second step of another, and no other person changes it', async () => {
    const [mine, theirs] = [new PasskeyDevice(origin), new PasskeyDevice(origin)];
    const { passkey } = await addPasskey(mine);
    const other = await app.person('Otto');
    const begun = await app.ok(other, calls.beginPasskey, {});
    const made = theirs.make(begun.options.challenge);
    const added = { challengeId: begun.challengeId, name: 'Theirs', passkey: made };
    expect((await app.call(me, calls.addPasskey, added)).reason).toBe('factor.expired');
    await app.ok(other, calls.addPasskey, added);
    const open = await ticket();
    const { challengeId, options } = await app.ok(null, calls.secondStepOptions, { ticket: open });
    const step = { ticket: open, challengeId, passkey: theirs.sign(options.challenge) };
    expect((await app.call(null, calls.secondStep, step)).reason).toBe('factor.passkeyRefused');
    expect((await app.call(other, calls.removePasskey, { id: passkey.id })).code).toBe(404);
    expect((await app.call(other, calls.renamePasskey, { id: passkey.id, name: 'x' })).code).toBe(404);
    expect((await app.ok(me, calls.renamePasskey, { id: passkey.id, name: 'Old phone' })).name).toBe(
      'Old phone',
    );
    await app.ok(me, calls.removePasskey, { id: passkey.id });
    expect((await signInWith(mine)).reason).toBe('factor.passkeyRefused');
    expect((await login()).code).toBe(200);
    expect((await letters()).toSorted()).toEqual([
      'A passkey was added to your Sameway account',
      'A passkey was removed from your Sameway account',
    ]);
  });

  test('a person has ten at most, and none twice', async () => {
    const device = new PasskeyDevice(origin);
    await addPasskey(device);
    const again = await app.ok(me, calls.beginPasskey, {});
    const twice = {
      challengeId: again.challengeId,
      name: 'Again',
      passkey: device.make(again.options.challenge),
    };
    expect((await app.call(me, calls.addPasskey, twice)).reason).toBe('factor.passkeyKnown');
    for (let more = 1; more < calls.mostPasskeys; more++) await addPasskey(new PasskeyDevice(origin));
    expect((await app.call(me, calls.beginPasskey, {})).reason).toBe('factor.tooMany');
  });
});

describe('people on the team', () => {
  test('are told to set up a second factor before they do anything, and sign in with it', async () => {
    await app.platform.db.execute(`update users set staff_role = 'moderator' where id = '${me.id}'`);
    expect(await app.ok(me, calls.readSecondFactor, {})).toMatchObject({ isRequired: true });
    expect(await app.call(me, listUsers, {})).toMatchObject({
      code: 403,
      reason: 'access.secondFactorNeeded',
    });
    const elsewhere = as(await app.ok(null, access.login, { email, password }));
    const device = new PasskeyDevice(origin);
    await addPasskey(device);
    expect((await app.call(me, listUsers, {})).code).toBe(200);
    // A session that began without the factor must confirm it first.
    expect(await app.call(elsewhere, listUsers, {})).toMatchObject({ code: 403, reason: 'session.stepUp' });
    const { ways, ceremony } = await app.ok(elsewhere, calls.proveOptions, {});
    expect(ways).toEqual(['passkey', 'recovery']);
    const { challengeId, options } = ceremony!;
    await app.ok(elsewhere, calls.prove, { challengeId, passkey: device.sign(options.challenge) });
    expect((await app.call(elsewhere, listUsers, {})).code).toBe(200);
    const [{ id }] = (await app.ok(me, calls.readSecondFactor, {})).passkeys as [calls.Passkey];
    await app.ok(me, calls.removePasskey, { id });
    expect((await app.call(me, listUsers, {})).reason).toBe('access.secondFactorNeeded');
  });
});

test('the command line removes the second factors of a person who lost them, and emails the person', async () => {
  await turnTotpOn();
  await addPasskey(new PasskeyDevice(origin));
  expect(await resetFactors(app.platform.db, ` ${email.toUpperCase()} `, app.clock.now())).toBe(2);
  expect((await login()).code).toBe(200);
  expect(await letters()).toContain('Two-step sign-in was turned off for your Sameway account');
  expect(await resetFactors(app.platform.db, 'nobody@example.com', app.clock.now())).toBeNull();
});

describe('a call that wants a recent proof', () => {
  const begin = (who: TestPerson) => app.call(who, calls.beginTotp, {});

  test('is refused ten minutes after the sign-in, until the person proves who they are', async () => {
    app.clock.advance(10 * minuteMs + secondMs);
    expect(await begin(me)).toMatchObject({ code: 403, reason: 'session.stepUp' });
    expect(await app.ok(me, calls.proveOptions, {})).toEqual({ ways: ['password'], ceremony: null });
    expect((await app.call(me, calls.prove, { password: 'not the one' })).reason).toBe(
      'access.passwordWrong',
    );
    expect((await app.call(me, calls.prove, { code: '123456' })).reason).toBe('factor.otherWay');
    expect((await begin(me)).code).toBe(403);
    const { provedUntil } = await app.ok(me, calls.prove, { password });
    expect(Date.parse(provedUntil)).toBeGreaterThan(app.clock.now().getTime() + 9 * minuteMs);
    expect((await begin(me)).code).toBe(200);
    // It counts for this session only.
    const elsewhere = as(await app.ok(null, access.login, { email, password }));
    app.clock.advance(10 * minuteMs + secondMs);
    await app.ok(me, calls.prove, { password });
    expect((await begin(elsewhere)).code).toBe(403);
  });

  test('takes the second factor of a person who has one, and no password', async () => {
    const { secret } = await turnTotpOn();
    app.clock.advance(10 * minuteMs);
    expect((await app.ok(me, calls.proveOptions, {})).ways).toEqual(['totp', 'recovery']);
    expect((await app.call(me, calls.removeTotp, {})).reason).toBe('session.stepUp');
    expect((await app.call(me, calls.prove, { password })).reason).toBe('factor.wrong');
    await app.ok(me, calls.prove, { code: codeNow(secret) });
    expect((await app.call(me, calls.removeTotp, {})).code).toBe(200);
  });

  test('takes a code by email of a person without a password', async () => {
    await app.platform.db.execute(`update users set password_hash = '' where id = '${me.id}'`);
    app.clock.advance(10 * minuteMs + secondMs);
    expect((await app.ok(me, calls.proveOptions, {})).ways).toEqual(['email']);
    await app.ok(me, calls.sendProofCode, {});
    const code = /\d{6}/.exec((await letters()).at(-1) ?? '')![0];
    expect((await app.call(me, calls.prove, { code: code === '000000' ? '000001' : '000000' })).reason).toBe(
      'access.codeWrong',
    );
    await app.ok(me, calls.prove, { code });
    expect((await app.call(me, calls.prove, { code })).reason).toBe('access.codeExpired');
    expect((await begin(me)).code).toBe(200);
  });
});

test('an installation at an IP address has no passkeys', async () => {
  const numbered = await openTestApp({ env: { PUBLIC_URL: 'http://127.0.0.1:3020' } });
  try {
    const mia = await numbered.person('Mia');
    expect(await numbered.ok(mia, calls.readSecondFactor, {})).toMatchObject({ passkeysFor: null });
    expect((await numbered.call(mia, calls.beginPasskey, {})).reason).toBe('factor.noPasskeys');
    expect((await numbered.call(null, calls.passkeySignInOptions, {})).reason).toBe('factor.noPasskeys');
  } finally {
    await numbered.close();
  }
});

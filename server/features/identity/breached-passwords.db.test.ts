import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import { makeOwner } from '#contract/setup/endpoints.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { openSetup } from '../operations/setup/open-setup.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-breached-'));
const file = path.join(folder, 'hashes.txt');
const good = 'correct-donkey-tram';
/** In the built-in list, in any case. */
const known = 'Chickenwing101';
/** Only in the operator's file, among hashes of other passwords. */
const ownWords = ['forty two wet umbrellas', ...Array.from({ length: 5000 }, (_, index) => `word ${index}`)];
const [own = ''] = ownWords;

let app: TestApp;
beforeAll(async () => {
  const hashes = ownWords.map((word) => createHash('sha1').update(word).digest('hex').toUpperCase());
  fs.writeFileSync(
    file,
    hashes
      .toSorted()
      .map((hash, index) => `${hash}:${index + 1}\r\n`)
      .join(''),
  );
  app = await openTestApp({ env: { BREACHED_PASSWORDS: file, DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

const refused = {
  code: 422,
  reason: 'access.passwordBreached',
  data: { fields: { password: expect.stringContaining('data breach') } },
};

async function member(email: string, password: string) {
  await enrollAccount(app.platform, { email, phone: '', name: 'Nora', password, language: 'en' });
  const { id, accessToken: token } = await app.ok(null, access.login, { email, password });
  return { id, email, token };
}

async function resetCodeFor(email: string): Promise<string> {
  await app.ok(null, access.retrievePassword, { email });
  await app.deliver();
  const { db } = app.platform;
  const letters = await db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
  return /\d{6}/.exec(letters.at(-1)?.subject ?? '')?.[0] ?? '';
}

test.each([known, known.toLowerCase(), ` ${known}`, own])(
  'a password from a breach is refused by name wherever one is set: %j',
  async (password) => {
    const email = `${createHash('sha1').update(password).digest('hex').slice(0, 8)}@example.com`;
    expect(await app.call(null, access.signup, { email: `new.${email}`, password })).toMatchObject(refused);
    const nora = await member(email, good);
    const change = { oldPassword: good, password };
    expect(await app.call(nora, access.changePassword, change)).toMatchObject(refused);
    const code = await resetCodeFor(email);
    const reset = await app.call(null, access.retrievePasswordConfirm, { email, code, password });
    expect(reset).toMatchObject(refused);
    // The code is still valid.
    expect(
      await app.call(null, access.retrievePasswordConfirm, {
        email,
        code,
        password: 'seventeen quiet ducks',
      }),
    ).toMatchObject({ code: 200 });
    await app.ok(null, access.login, { email, password: 'seventeen quiet ducks' });
  },
);

test('the first owner of an installation cannot choose one either', async () => {
  const address = await openSetup(app.platform);
  const token = address!.slice(address!.indexOf('#') + 1);
  const owner = { token, name: 'Olga', email: 'olga@example.com', password: known };
  expect(await app.call(null, makeOwner, owner)).toMatchObject(refused);
});

test('a person who already had such a password can still sign in', async () => {
  await member('before@example.com', known);
  await member('before.too@example.com', own);
});

test('an unreadable file refuses no password, and the built-in list still applies', async () => {
  fs.renameSync(file, `${file}.away`);
  const answer = await app.call(null, access.signup, { email: 'away@example.com', password: own });
  expect(answer).toMatchObject({ code: 200 });
  const still = await app.call(null, access.signup, { email: 'still@example.com', password: known });
  expect(still).toMatchObject(refused);
  fs.renameSync(`${file}.away`, file);
});

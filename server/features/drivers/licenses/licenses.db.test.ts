import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { latestLicense, saveLicense, saveVerdict, waitingLicenses } from '#contract/licenses/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { adminActions } from '../../../schema/audit.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { licenses } from '../../../schema/vehicles.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { upload } from '../../../testing/upload.ts';
import { peopleByIds } from '../../identity/people.ts';
import { clearPictures } from '../../pictures/schedule.ts';

let app: TestApp;
let admin: TestPerson;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-licences-'));
beforeAll(async () => {
  app = await openTestApp({ env: { DATA_DIR: folder } });
  admin = await app.person('Ada', { isAdmin: true });
});
beforeEach(async () => {
  await app.platform.db.delete(licenses);
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const photo = async (who: TestPerson, background = '#ddeeff'): Promise<string> => {
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background } });
  const answer = await upload(app, who, 'license', [{ bytes: await image.jpeg().toBuffer() }]);
  return (answer.data as { id: string }).id;
};
const photos = async (who: TestPerson) => ({ front: await photo(who), back: await photo(who) });
const send = async (who: TestPerson) => (await app.ok(who, saveLicense, await photos(who))).license;
const queue = async () => (await app.ok(admin, waitingLicenses, {})).licenses;
const emailsTo = async ({ email }: TestPerson) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
const look = async (url: string | null) =>
  (await app.http.inject({ method: 'GET', url: url ?? '/' })).headers['content-type'];
const tintOf = async (url: string | null) => {
  const { dominant } = await sharp(
    (await app.http.inject({ method: 'GET', url: url ?? '/' })).rawPayload,
  ).stats();
  return dominant.r > dominant.b ? 'red' : 'blue';
};
const tints = async ({ front, back }: { front: string | null; back: string | null }) => ({
  front: await tintOf(front),
  back: await tintOf(back),
});

test('photos are sent, denied with a reason, sent again and accepted; the driver is told by mail each time', async () => {
  const mia = await app.person('Mia');
  expect(await app.ok(mia, latestLicense, {})).toEqual({ license: null });
  const sent = await send(mia);
  expect(sent).toMatchObject({ status: 'Reviewing', result: '', decidedAt: null });
  expect(await look(sent.front)).toBe('image/webp');
  expect((await app.ok(mia, readProfile, {})).license).toBe('Reviewing');

  const [waits] = await queue();
  expect(waits).toMatchObject({ id: sent.id, person: { id: mia.id }, email: mia.email, earlier: [] });
  expect(await look(waits?.back ?? null)).toBe('image/webp');
  const reason = 'The back is too dark to read.';
  await app.ok(admin, saveVerdict, { id: sent.id, status: 'Reject', result: reason });
  await app.deliver();
  expect(await app.ok(mia, latestLicense, {})).toMatchObject({
    license: { status: 'Reject', result: reason, decidedAt: expect.any(String) },
  });
  expect((await emailsTo(mia)).map(({ body }) => body).join()).toContain(reason);

  app.clock.advance(60_000);
  const again = await send(mia);
  expect((await queue())[0]).toMatchObject({ id: again.id, earlier: [{ status: 'Reject', result: reason }] });
  await app.ok(admin, saveVerdict, { id: again.id, status: 'Accepted' });
  await app.deliver();
  expect(await app.ok(mia, readProfile, {})).toMatchObject({ license: 'Accepted' });
  expect((await peopleByIds(app.platform, [mia.id])).get(mia.id)?.verifiedDriver).toBe(true);
  expect(await emailsTo(mia)).toHaveLength(2);
  expect(await queue()).toEqual([]);
  await clearPictures(app.platform);
  expect(await look(sent.front)).toBe('text/plain; charset=utf-8');
  expect(await look(again.front)).toBe('image/webp');

  const log = await app.platform.db.select().from(adminActions).where(eq(adminActions.personId, mia.id));
  expect(log).toMatchObject([
    { adminId: admin.id, action: 'license.rejected', thingId: sent.id, note: reason },
    { adminId: admin.id, action: 'license.accepted', thingId: again.id, note: '' },
  ]);
});

test('the front is the front and the back the back: for the driver at once, later, and for the admin', async () => {
  const mia = await app.person('Mia');
  const [front, back] = [await photo(mia, '#cc2211'), await photo(mia, '#1122cc')];
  const { license: sent } = await app.ok(mia, saveLicense, { front, back });
  const { license: latest } = await app.ok(mia, latestLicense, {});
  const [waiting] = await queue();
  for (const license of [sent, latest!, waiting!])
    expect(await tints(license)).toEqual({ front: 'red', back: 'blue' });
});

test('a denial without a reason is refused in the specification’s words', async () => {
  const mia = await app.person('Mia');
  const { id } = await send(mia);
  for (const result of ['', '  \n'])
    expect(await app.call(admin, saveVerdict, { id, status: 'Reject', result })).toMatchObject({
      code: 422,
      reason: 'license.reasonMissing',
      info: 'A reason is required when denying license photos.',
      data: { fields: { result: expect.any(String) } },
    });
  expect(await queue()).toHaveLength(1);
});

test('of two admins at once one decides, and the other is told so', async () => {
  const [mia, other] = [await app.person('Mia'), await app.person('Otis', { isAdmin: true })];
  const { id } = await send(mia);
  const answers = await Promise.all([
    app.call(admin, saveVerdict, { id, status: 'Accepted' }),
    app.call(other, saveVerdict, { id, status: 'Reject', result: 'Unreadable.' }),
    app.call(admin, saveVerdict, { id, status: 'Accepted' }),
  ]);
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(answers.filter(({ code }) => code === 409).every(({ reason }) => reason === 'license.movedOn')).toBe(
    true,
  );
  await app.deliver();
  expect(await emailsTo(mia)).toHaveLength(1);
  const log = await app.platform.db.select().from(adminActions).where(eq(adminActions.thingId, id));
  expect(log).toHaveLength(1);
});

test('new photos take back those that wait, so nobody decides about photos they have not seen', async () => {
  const mia = await app.person('Mia');
  const first = await send(mia);
  const second = await send(mia);
  expect((await queue()).map(({ id }) => id)).toEqual([second.id]);
  expect(await app.call(admin, saveVerdict, { id: first.id, status: 'Accepted' })).toMatchObject({
    code: 409,
    reason: 'license.movedOn',
  });
  await clearPictures(app.platform);
  expect(await look(first.front)).toBe('text/plain; charset=utf-8');
  expect(await look(second.front)).toBe('image/webp');
  await Promise.all([send(mia), send(mia)]);
  expect(await queue()).toHaveLength(1);
});

test('nobody but admins sees the queue or decides; nobody sends another’s photos', async () => {
  const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
  const mine = await photos(mia);
  expect((await app.call(eve, saveLicense, mine)).reason).toBe('upload.gone');
  const { id } = (await app.ok(mia, saveLicense, mine)).license;
  expect((await app.call(eve, waitingLicenses, {})).code).toBe(403);
  expect((await app.call(mia, saveVerdict, { id, status: 'Accepted' })).code).toBe(403);
  expect((await app.call(null, waitingLicenses, {})).code).toBe(400);
  expect(await app.ok(eve, latestLicense, {})).toEqual({ license: null });
});

test('both sides are needed, as two photos', async () => {
  const mia = await app.person('Mia');
  const { front } = await photos(mia);
  expect(await app.call(mia, saveLicense, { front, back: '' })).toMatchObject({
    code: 422,
    data: { fields: { back: 'Please choose an image first.' } },
  });
  expect((await app.call(mia, saveLicense, { front, back: front })).reason).toBe('license.samePhoto');
  expect(await queue()).toEqual([]);
});

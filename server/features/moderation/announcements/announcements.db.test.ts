import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  announce,
  currentAnnouncements,
  endAnnouncement,
  listAnnouncements,
} from '#contract/announcements/endpoints.ts';
import { listAudit } from '#contract/admin/endpoints.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  admin = await app.person('Ada', { staffRole: 'admin' });
});
afterAll(() => app.close());

const after = (ms: number) => later(app.clock.now(), ms).toISOString();
const words = (title: string) => ({
  title: { en: title, zh: `${title}（中文）` },
  text: { en: 'Main Street is closed.', zh: '主街封路。' },
});
const titles = async (person: TestPerson | null) =>
  (await app.ok(person, currentAnnouncements, {})).announcements.map(({ title }) => title.en);

test('everyone sees announcements from their start to their end, newest first, up to three', async () => {
  const mia = await app.person('Mia');
  await app.ok(admin, announce, { ...words('Now'), untilAt: after(hourMs) });
  const later2 = await app.ok(admin, announce, {
    ...words('In an hour'),
    fromAt: after(hourMs / 2),
    untilAt: after(dayMs),
  });
  expect(later2.state).toBe('planned');
  expect(await titles(mia)).toEqual(['Now']);
  expect(await titles(null)).toEqual(['Now']);
  app.clock.advance(hourMs / 2);
  expect(await titles(null)).toEqual(['In an hour', 'Now']);
  app.clock.advance(hourMs / 2);
  expect(await titles(null)).toEqual(['In an hour']);
  for (const name of ['A', 'B', 'C']) {
    app.clock.advance(minuteMs);
    await app.ok(admin, announce, { ...words(name), untilAt: after(hourMs) });
  }
  expect(await titles(mia)).toEqual(['C', 'B', 'A']);
  app.clock.advance(2 * dayMs);
  expect(await titles(mia)).toEqual([]);
});

test('a community’s announcement is for people who confirmed an address of its domain', async () => {
  const mia = await app.person('Mia');
  const [, domain = ''] = mia.email.split('@');
  const { id } = await app.ok(admin, announce, {
    ...words('For us'),
    untilAt: after(hourMs),
    community: ` ${domain.toUpperCase()} `,
  });
  expect(await titles(mia)).toEqual(['For us']);
  expect(await titles(null)).toEqual([]);
  const other = await app.person('Otto');
  await app.pool.query(`update users set email = 'otto@elsewhere.example' where id = $1`, [other.id]);
  expect(await titles(other)).toEqual([]);
  await app.pool.query('update users set email_verified_at = null where id = $1', [mia.id]);
  expect(await titles(mia)).toEqual([]);
  await app.ok(admin, endAnnouncement, { id });
});

test('bad input names its field; an ended announcement cannot be ended again; the audit log has both actions', async () => {
  const fields = async (input: object) => {
    const { data } = await app.callUnchecked(admin, announce, {
      ...words('Hi'),
      untilAt: after(hourMs),
      ...input,
    });
    return Object.keys((data as { fields: object }).fields);
  };
  expect(await fields({ untilAt: after(-minuteMs) })).toEqual(['untilAt']);
  expect(await fields({ fromAt: after(2 * hourMs) })).toEqual(['untilAt']);
  expect(await fields({ title: { en: '', zh: '你好' } })).toEqual(['title.en']);
  expect(await fields({ text: { en: 'Hello', zh: ' ' } })).toEqual(['text.zh']);
  expect(await fields({ community: 'not a domain' })).toEqual(['community']);
  const { id } = await app.ok(admin, announce, { ...words('Short'), untilAt: after(hourMs) });
  expect(await titles(null)).toEqual(['Short']);
  expect(await app.ok(admin, endAnnouncement, { id })).toMatchObject({ state: 'over' });
  expect(await titles(null)).toEqual([]);
  expect(await app.call(admin, endAnnouncement, { id })).toMatchObject({ code: 409 });
  expect((await app.ok(admin, listAnnouncements, {})).announcements[0]).toMatchObject({ id, state: 'over' });
  const { entries } = await app.ok(admin, listAudit, { offset: 0, size: 2 });
  expect(entries.map(({ action, note }) => [action, note])).toEqual([
    ['announcement.ended', 'Short'],
    ['announcement.made', 'Short'],
  ]);
});

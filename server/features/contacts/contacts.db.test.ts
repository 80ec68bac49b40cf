import { afterAll, beforeAll, expect, test } from 'vitest';
import { listContacts, listTags } from '#contract/contacts/endpoints.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { befriend } from './meet-person.ts';
import { areContacts, contactIds, countInCommon, contactsAmong } from './store.ts';
import { createTag } from './tags.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('contacts are listed by name with the tags their owner gave them', async () => {
  const [mia, leo, ada] = [await app.person('Mia'), await app.person('leo'), await app.person('Ada')];
  await befriend(app.platform, mia.id, leo.id);
  await befriend(app.platform, mia.id, leo.id, 'INVITE');
  await befriend(app.platform, ada.id, mia.id, 'FTF_QRCODE');
  const { id: work } = await createTag(app.platform, mia.id, 'Work', [leo.id, ada.id]);
  const { id: choir } = await createTag(app.platform, mia.id, 'Choir', [leo.id]);
  const { id: empty } = await createTag(app.platform, mia.id, 'Surf', []);
  await createTag(app.platform, leo.id, 'Friends', [mia.id]);

  const listed = await app.ok(mia, listContacts, {});
  expect(listed.contacts).toMatchObject([
    { person: { id: ada.id, name: 'Ada' }, remark: '', tagIds: [work], origin: 'FTF_QRCODE' },
    { person: { id: leo.id, name: 'leo' }, tagIds: [choir, work], origin: 'DIRECT' },
  ]);
  expect(await app.ok(mia, listTags, {})).toEqual({
    tags: [
      { id: choir, name: 'Choir', size: 1 },
      { id: empty, name: 'Surf', size: 0 },
      { id: work, name: 'Work', size: 2 },
    ],
  });
  expect(await app.ok(ada, listTags, {})).toEqual({ tags: [] });
});

test('who knows whom, and whom two people both know', async () => {
  const people = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => app.person(name)));
  const [a, b, c, d, e] = people.map((person) => person.id) as [string, string, string, string, string];
  await befriend(app.platform, a, c);
  await befriend(app.platform, a, d);
  await befriend(app.platform, b, c);
  await befriend(app.platform, b, d);
  await befriend(app.platform, e, d);
  expect(await areContacts(app.platform.db, a, c)).toBe(true);
  expect(await areContacts(app.platform.db, c, a)).toBe(true);
  expect(await areContacts(app.platform.db, a, b)).toBe(false);
  expect((await contactIds(app.platform.db, a)).toSorted()).toEqual([c, d].toSorted());
  const common = await countInCommon(app.platform.db, [a, c], [b, e, c]);
  expect(common.filter(({ viewerId }) => viewerId === a)).toEqual(
    expect.arrayContaining([
      { viewerId: a, otherId: b, size: 2 },
      { viewerId: a, otherId: e, size: 1 },
    ]),
  );
  expect(common.filter(({ viewerId, otherId }) => viewerId === c && otherId !== c)).toEqual([]);
  expect(await contactsAmong(app.platform.db, [a, e], [b, c, d])).toEqual(
    expect.arrayContaining([
      { ownerId: a, otherId: c },
      { ownerId: a, otherId: d },
      { ownerId: e, otherId: d },
    ]),
  );
  expect(await countInCommon(app.platform.db, [a], [])).toEqual([]);
});

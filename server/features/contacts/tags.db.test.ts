import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '#contract/contacts/endpoints.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { befriend } from './meet-person.ts';

let app: TestApp;
let mia: TestPerson;
let leo: TestPerson;
let ada: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [mia, leo, ada] = [await app.person('Mia'), await app.person('Leo'), await app.person('Ada')];
  await befriend(app.platform, mia.id, leo.id);
  await befriend(app.platform, mia.id, ada.id);
});

test('a tag is made, filled, renamed, emptied and deleted', async () => {
  const tag = await app.ok(mia, calls.createTag, { name: '  Ski \n club ', userIds: [leo.id, leo.id] });
  expect(tag).toMatchObject({ name: 'Ski club', size: 1 });
  expect(await app.ok(mia, calls.addToTag, { id: tag.id, userIds: [ada.id, leo.id] })).toMatchObject({
    size: 2,
  });
  expect(await app.ok(mia, calls.updateTag, { id: tag.id, name: 'SKI CLUB' })).toMatchObject({
    name: 'SKI CLUB',
  });
  const detail = await app.ok(mia, calls.readTag, { id: tag.id });
  expect(detail).toMatchObject({
    tag: { size: 2 },
    contacts: [{ person: { name: 'Ada' } }, { person: { name: 'Leo' } }],
  });
  expect(await app.ok(mia, calls.removeFromTag, { id: tag.id, userIds: [leo.id] })).toMatchObject({
    size: 1,
  });
  await app.ok(mia, calls.deleteTag, { id: tag.id });
  expect(await app.ok(mia, calls.listTags, {})).toEqual({ tags: [] });
  expect(await app.call(mia, calls.readTag, { id: tag.id })).toMatchObject({
    code: 404,
    reason: 'tag.notFound',
  });
});

test('names are taken whatever their case; others may use them too', async () => {
  await app.ok(mia, calls.createTag, { name: 'Work' });
  const other = await app.ok(mia, calls.createTag, { name: 'Other' });
  const refusal = {
    code: 422,
    reason: 'tag.nameTaken',
    data: { fields: { name: 'You already have a tag with this name.' } },
  };
  expect(await app.call(mia, calls.createTag, { name: 'wORK' })).toMatchObject(refusal);
  expect(await app.call(mia, calls.updateTag, { id: other.id, name: 'work' })).toMatchObject(refusal);
  await app.ok(leo, calls.createTag, { name: 'Work' });
});

test('nobody reaches the tags of another, or puts strangers into their own', async () => {
  const tag = await app.ok(mia, calls.createTag, { name: 'Work', userIds: [ada.id] });
  const stranger = await app.person('Stranger');
  expect(await app.call(mia, calls.createTag, { name: 'X', userIds: [stranger.id] })).toMatchObject({
    code: 404,
    reason: 'contact.notFound',
  });
  expect(await app.call(mia, calls.addToTag, { id: tag.id, userIds: [stranger.id] })).toMatchObject({
    code: 404,
  });
  expect(await app.call(mia, calls.addToTag, { id: tag.id, userIds: [] })).toMatchObject({
    data: { fields: { userIds: 'Please select at least one contact.' } },
  });
  const asLeo = await Promise.all([
    app.call(leo, calls.readTag, { id: tag.id }),
    app.call(leo, calls.updateTag, { id: tag.id, name: 'Mine' }),
    app.call(leo, calls.deleteTag, { id: tag.id }),
    app.call(leo, calls.addToTag, { id: tag.id, userIds: [mia.id] }),
    app.call(leo, calls.removeFromTag, { id: tag.id, userIds: [ada.id] }),
    app.call(leo, calls.readTag, { id: randomUUID() }),
  ]);
  for (const answer of asLeo) expect(answer).toMatchObject({ code: 404, reason: 'tag.notFound' });
  expect(await app.ok(mia, calls.readTag, { id: tag.id })).toMatchObject({
    tag: { name: 'Work', size: 1 },
  });
});

test('a hundred tags fit, made at once or not', async () => {
  const names = Array.from({ length: 99 }, (_, index) => `Tag ${index}`);
  for (const name of names) await app.ok(mia, calls.createTag, { name });
  const last = await Promise.all(['a', 'b', 'c'].map((name) => app.call(mia, calls.createTag, { name })));
  expect(last.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
  expect(last.find((answer) => answer.code === 422)).toMatchObject({ reason: 'tag.tooMany' });
});

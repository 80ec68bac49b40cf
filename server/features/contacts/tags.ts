import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { readTag as readCall, tag } from '#contract/contacts/endpoints.ts';
import { mostTags } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import { notFound, Refusal, refuseField } from '../../platform/refusal.ts';
import { contactsOf } from './own-contacts.ts';
import { countOwnTags } from './queries.ts';
import * as store from './store.ts';

type Tag = z.output<typeof tag>;

/** One tag and its contacts. Refuses `tag.notFound`. */
export async function readTag(app: App, ownerId: string, id: string): Promise<OutputOf<typeof readCall>> {
  const found = await read(app, ownerId, id);
  const contacts = await contactsOf(app, ownerId);
  return { tag: found, contacts: contacts.filter((contact) => contact.tagIds.includes(id)) };
}

/** Creates a tag with these contacts. Refuses `tag.nameTaken`, `tag.tooMany`, `contact.notFound`. */
export async function createTag(
  app: App,
  ownerId: string,
  name: string,
  userIds: readonly string[],
): Promise<Tag> {
  const members = [...new Set(userIds)];
  await checkContacts(app, ownerId, members);
  const id = randomUUID();
  await named(() =>
    app.transact('create tag', async (tx) => {
      if ((await store.holdAndCountTags(tx, ownerId)) >= mostTags)
        throw new Refusal('tag.tooMany', `You can keep up to ${mostTags} tags. Please delete one first.`);
      await store.insertTag(tx, { id, ownerId, name });
      await store.fillTag(tx, id, ownerId, members);
    }),
  );
  return read(app, ownerId, id);
}

/** Refuses `tag.notFound`, `tag.nameTaken`. */
export async function renameTag(app: App, ownerId: string, id: string, name: string): Promise<Tag> {
  await named(() =>
    app.transact('rename tag', async (tx) => {
      if (!(await store.renameTag(tx, ownerId, id, name))) throw tagUnknown();
    }),
  );
  return read(app, ownerId, id);
}

/** Refuses `tag.notFound`. Orders shown only to this tag get no new viewers. */
export async function deleteTag({ transact }: App, ownerId: string, id: string): Promise<void> {
  await transact('delete tag', async (tx) => {
    if (!(await store.deleteTag(tx, ownerId, id))) throw tagUnknown();
  });
}

/** Refuses `tag.notFound`, `contact.notFound`. */
export async function addToTag(
  app: App,
  ownerId: string,
  id: string,
  userIds: readonly string[],
): Promise<Tag> {
  const members = [...new Set(userIds)];
  await checkContacts(app, ownerId, members);
  await app.transact('add to tag', async (tx) => {
    if ((await countOwnTags(tx, ownerId, [id])) === 0) throw tagUnknown();
    await store.fillTag(tx, id, ownerId, members);
  });
  return read(app, ownerId, id);
}

/** Refuses `tag.notFound`. */
export async function removeFromTag(
  app: App,
  ownerId: string,
  id: string,
  userIds: readonly string[],
): Promise<Tag> {
  await app.transact('remove from tag', async (tx) => {
    if ((await countOwnTags(tx, ownerId, [id])) === 0) throw tagUnknown();
    await store.emptyTag(tx, id, userIds);
  });
  return read(app, ownerId, id);
}

async function read(app: App, ownerId: string, id: string): Promise<Tag> {
  const found = (await store.tagsOf(app.db, ownerId)).find((each) => each.id === id);
  if (found === undefined) throw tagUnknown();
  return found;
}

const named = async (work: () => Promise<unknown>) => {
  try {
    await work();
  } catch (error) {
    if (brokenConstraint(error) !== 'tags_owner_name') throw error;
    throw refuseField('tag.nameTaken', 'name', 'You already have a tag with this name.');
  }
};

/** @throws Refusal `contact.notFound` when one of the people is not a contact of the owner. */
async function checkContacts(app: App, ownerId: string, userIds: readonly string[]): Promise<void> {
  if ((await store.countContacts(app.db, ownerId, userIds)) !== userIds.length)
    throw notFound('contact.notFound', 'This person isn’t one of your contacts.');
}

const tagUnknown = () => notFound('tag.notFound', 'This tag no longer exists.');

import { randomUUID } from 'node:crypto';
import type { Contact, readTag, tag } from '#contract/contacts/endpoints.ts';
import { mostTags } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import { notFound, Refusal, refuseField } from '../../platform/refusal.ts';
import { countOwnTags } from './queries.ts';
import * as store from './store.ts';

type Tag = z.output<typeof tag>;

/** The tags a person sorts their contacts by; only that person sees them. */
export function createTags({ db, transact }: Platform, contactsOf: (ownerId: string) => Promise<Contact[]>) {
  async function read(ownerId: string, id: string): Promise<Tag> {
    const found = (await store.tagsOf(db, ownerId)).find((each) => each.id === id);
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
  async function checkContacts(ownerId: string, userIds: readonly string[]): Promise<void> {
    if ((await store.countContacts(db, ownerId, userIds)) !== userIds.length)
      throw notFound('contact.notFound', 'This person isn’t one of your contacts.');
  }

  return {
    /** A person's tags by name, with the number of contacts in each. */
    tags: (ownerId: string): Promise<Tag[]> => store.tagsOf(db, ownerId),

    /** One tag and its contacts. Refuses `tag.notFound`. */
    async tagDetail(ownerId: string, id: string): Promise<OutputOf<typeof readTag>> {
      const found = await read(ownerId, id);
      const contacts = await contactsOf(ownerId);
      return { tag: found, contacts: contacts.filter((contact) => contact.tagIds.includes(id)) };
    },

    /** Creates a tag with these contacts. Refuses `tag.nameTaken`, `tag.tooMany`, `contact.notFound`. */
    async createTag(ownerId: string, name: string, userIds: readonly string[]): Promise<Tag> {
      const members = [...new Set(userIds)];
      await checkContacts(ownerId, members);
      const id = randomUUID();
      await named(() =>
        transact(async (tx) => {
          if ((await store.holdAndCountTags(tx, ownerId)) >= mostTags)
            throw new Refusal('tag.tooMany', `You can keep up to ${mostTags} tags. Please delete one first.`);
          await store.insertTag(tx, { id, ownerId, name });
          await store.fillTag(tx, id, ownerId, members);
        }),
      );
      return read(ownerId, id);
    },

    /** Refuses `tag.notFound`, `tag.nameTaken`. */
    async renameTag(ownerId: string, id: string, name: string): Promise<Tag> {
      await named(() =>
        transact(async (tx) => {
          if (!(await store.renameTag(tx, ownerId, id, name))) throw tagUnknown();
        }),
      );
      return read(ownerId, id);
    },

    /** Refuses `tag.notFound`. Orders shown only to this tag get no new viewers. */
    async deleteTag(ownerId: string, id: string): Promise<void> {
      await transact(async (tx) => {
        if (!(await store.deleteTag(tx, ownerId, id))) throw tagUnknown();
      });
    },

    /** Refuses `tag.notFound`, `contact.notFound`. */
    async addToTag(ownerId: string, id: string, userIds: readonly string[]): Promise<Tag> {
      const members = [...new Set(userIds)];
      await checkContacts(ownerId, members);
      await transact(async (tx) => {
        if ((await countOwnTags(tx, ownerId, [id])) === 0) throw tagUnknown();
        await store.fillTag(tx, id, ownerId, members);
      });
      return read(ownerId, id);
    },

    /** Refuses `tag.notFound`. */
    async removeFromTag(ownerId: string, id: string, userIds: readonly string[]): Promise<Tag> {
      await transact(async (tx) => {
        if ((await countOwnTags(tx, ownerId, [id])) === 0) throw tagUnknown();
        await store.emptyTag(tx, id, userIds);
      });
      return read(ownerId, id);
    },
  };
}

const tagUnknown = () => notFound('tag.notFound', 'This tag no longer exists.');

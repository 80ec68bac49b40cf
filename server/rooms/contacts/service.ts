import { randomUUID } from 'node:crypto';
import type { Contact } from '#contract/contacts/endpoints.ts';
import type { Base } from '../../base/base.ts';
import type { IdentityService } from '../identity/service.ts';
import * as store from './store.ts';

export type ContactsService = ReturnType<typeof createContacts>;

/** Who knows whom, and the tags a person sorts them by. */
export function createContacts({ db, transact, clock }: Base, identity: IdentityService) {
  return {
    /** A person's contacts by name. */
    async list(ownerId: string): Promise<Contact[]> {
      const rows = await store.contactsOf(db, ownerId);
      const people = await identity.people(rows.map((row) => row.otherId));
      return rows
        .flatMap(({ otherId, remark, tagIds, origin }) => {
          const person = people.get(otherId);
          return person === undefined ? [] : [{ person, remark, tagIds, origin }];
        })
        .toSorted((a, b) => a.person.name.localeCompare(b.person.name));
    },

    /** A person's tags by name, with how many contacts each holds. */
    tags: (ownerId: string) => store.tagsOf(db, ownerId),

    areContacts: (a: string, b: string): Promise<boolean> => store.areContacts(db, a, b),

    /** How many contacts each of the others has in common with the viewer; those with none are left out. */
    contactsInCommon: (viewerId: string, otherIds: readonly string[]): Promise<Map<string, number>> =>
      store.countInCommon(db, viewerId, otherIds),

    contactIds: (userId: string): Promise<string[]> => store.contactIds(db, userId),

    /** Makes two people contacts of each other; nothing changes when they already are. */
    async befriend(a: string, b: string, origin: Contact['origin'] = 'DIRECT'): Promise<void> {
      await transact((tx) => store.insertPair(tx, { a, b, origin, at: clock.now() }));
    },

    /** Makes a tag that holds these people. The name is new to the owner, the people are their contacts. */
    async createTag(ownerId: string, name: string, userIds: readonly string[]): Promise<string> {
      const id = randomUUID();
      await transact((tx) => store.insertTag(tx, { id, ownerId, name }, userIds));
      return id;
    },
  };
}

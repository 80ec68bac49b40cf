import type { Contact } from '#contract/contacts/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';
import { createPeopleSearch } from './people-search.ts';
import { createRelations } from './relations.ts';
import * as store from './store.ts';
import { createTags } from './tags.ts';

export type ContactsService = ReturnType<typeof createContacts>;

/** Who knows whom, how they found each other, and the tags a person sorts them by. */
export function createContacts(platform: Platform, identity: IdentityService) {
  const { db, transact, clock } = platform;
  const relations = createRelations(platform, identity);
  return {
    erasure: store.erasure,
    ...relations,
    ...createPeopleSearch(platform, identity, relations),
    ...createTags(platform, relations.list),

    areContacts: (a: string, b: string): Promise<boolean> => store.areContacts(db, a, b),

    /** How many contacts each of the others has in common with the viewer; those with none are left out. */
    contactsInCommon: (viewerId: string, otherIds: readonly string[]): Promise<Map<string, number>> =>
      store.countInCommon(db, viewerId, otherIds),

    contactIds: (userId: string): Promise<string[]> => store.contactIds(db, userId),

    /** Those of the others whom the viewer does not see, nor they the viewer: one has blocked the other. */
    blockedAmong: (viewerId: string, otherIds: readonly string[]): Promise<Set<string>> =>
      store.blockedAmong(db, viewerId, otherIds),

    /** Keeps a report of a person for the admins, in the caller's transaction; false where it repeats one of a review. */
    keepReport: store.insertReport,
    /** Closes a report that is open, in the caller's transaction; null when it is not. */
    closeReport: store.closeReport,

    /** Makes two people contacts of each other; nothing changes when they already are. For the demo community. */
    async befriend(a: string, b: string, origin: Contact['origin'] = 'DIRECT'): Promise<void> {
      await transact((tx) => store.insertPair(tx, { a, b, origin, at: clock.now() }));
    },
  };
}

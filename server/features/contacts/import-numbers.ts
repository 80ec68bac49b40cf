import type { importContacts } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { foundPeople } from './search-ticket.ts';
import * as store from './store.ts';

/** The salt for the numbers of a person's address book. */
export const importSalt = (app: App, personId: string): Promise<string> =>
  app.signedTokens.derive('address book', personId);

/**
 * People who have one of an address book's salted numbers and can be found by phone, of those in its groups
 * of numbers. Stores nothing; limited to six calls a day.
 */
export async function importNumbers(
  app: App,
  personId: string,
  { hashes, groups }: { hashes: readonly string[]; groups: readonly number[] },
): Promise<OutputOf<typeof importContacts>> {
  const salt = await importSalt(app, personId);
  const matches = await store.findByNumberHash(app.db, personId, {
    salt,
    hashes: [...new Set(hashes)],
    groups,
  });
  // The answer holds positions, not hashes: a stored answer must not contain part of the address book.
  const indexOf = new Map(matches.map(({ id, hash }) => [id, hashes.indexOf(hash)]));
  const people = await foundPeople(app, personId, [...indexOf.keys()], 'PHONE_CONTACT');
  return { people: people.map((each) => ({ ...each, index: indexOf.get(each.person.id)! })) };
}

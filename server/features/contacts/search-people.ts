import type {
  searchPeople as searchCall,
  importContacts,
  ContactOrigin,
  FoundPerson,
} from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { parsePhone, peopleByIds } from '../identity/service.ts';
import { relationOf, ticketLifeMs } from './policy.ts';
import { searchedBy } from './rules/search-text.ts';
import * as store from './store.ts';

const mostFound = 30;

/** People who can be found by this text. Refuses `contact.searchShort`, and too many searches. */
export async function searchPeople(
  app: App,
  viewerId: string,
  text: string,
): Promise<OutputOf<typeof searchCall>> {
  const by = searchedBy(text, parsePhone);
  if (by === null)
    throw refuseField('contact.searchShort', 'text', 'Please enter at least 2 letters of the name.');
  const ids = await store.findPeople(app.db, viewerId, by, mostFound);
  const kind = 'email' in by ? 'email' : 'phone' in by ? 'phone' : 'name';
  const origin = kind === 'phone' ? 'PHONE_NUMBER' : 'DIRECT';
  return { by: kind, people: await foundPeople(app, viewerId, ids, origin) };
}

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

/** The origin of a find, in a signed ticket so that an application cannot claim another one. */
const ticketOrigins = ['PHONE_NUMBER', 'PHONE_CONTACT'] as const satisfies ContactOrigin[];
const ticketPurpose = (origin: ContactOrigin) => `found ${origin}`;

/** Found people, each with a ticket that holds their origin. Leaves out those hidden from the viewer. */
async function foundPeople(
  app: App,
  viewerId: string,
  ids: readonly string[],
  origin: ContactOrigin,
): Promise<FoundPerson[]> {
  const { db, clock, signedTokens } = app;
  const [people, standings] = await Promise.all([peopleByIds(app, ids), store.standings(db, viewerId, ids)]);
  const endsAt = later(clock.now(), ticketLifeMs);
  const views = ids.map(async (id) => {
    const [person, standing] = [people.get(id), standings.get(id)];
    if (person === undefined || standing === undefined) return null;
    const ticket =
      origin === 'DIRECT' ? '' : await signedTokens.sign(ticketPurpose(origin), [viewerId, id], endsAt);
    return { person, relation: relationOf(standing), ticket };
  });
  return (await Promise.all(views)).filter((view) => view !== null);
}

/** The origin by which a ticket's holder found the other; without a valid ticket, directly. */
export async function originOf(
  { signedTokens }: App,
  viewerId: string,
  otherId: string,
  ticket: string,
): Promise<ContactOrigin> {
  for (const origin of ticketOrigins) {
    const ids = await signedTokens.verify(ticketPurpose(origin), ticket);
    if (ids !== null && ids[0] === viewerId && ids[1] === otherId) return origin;
  }
  return 'DIRECT';
}

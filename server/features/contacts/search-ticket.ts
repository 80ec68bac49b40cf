import type { ContactOrigin, FoundPerson } from '#contract/contacts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { peopleByIds } from '../identity/service.ts';
import { relationOf, ticketLifeMs } from './policy.ts';
import * as store from './store.ts';

/** The origin of a find, in a signed ticket so that an application cannot claim another one. */
const ticketOrigins = ['PHONE_NUMBER', 'PHONE_CONTACT'] as const satisfies ContactOrigin[];
const ticketPurpose = (origin: ContactOrigin) => `found ${origin}`;

/** Found people, each with a ticket that holds their origin. Leaves out those hidden from the viewer. */
export async function foundPeople(
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

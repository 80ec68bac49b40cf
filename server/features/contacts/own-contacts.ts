import type {
  Contact,
  listContacts,
  readContact,
  updateContact as updateCall,
} from '#contract/contacts/endpoints.ts';
import type { OutputOf, InputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { notFound } from '../../platform/refusal.ts';
import { interestsOf, provedPhoneOf } from '../identity/queries.ts';
import { peopleByIds } from '../identity/service.ts';
import { viewApplications, signalMove, viewContact } from './apply-for-contact.ts';
import { answerShownMs, phoneShownToContacts, relationOf, type Standing, personUnknown } from './policy.ts';
import { countOwnTags } from './queries.ts';
import * as store from './store.ts';

/** A person's contacts by name. @param otherId only this one. */
export async function contactsOf(app: App, ownerId: string, otherId?: string): Promise<Contact[]> {
  const rows = await store.contactsOf(app.db, ownerId, otherId);
  const people = await peopleByIds(
    app,
    rows.map((row) => row.otherId),
  );
  return rows
    .flatMap((row) => {
      const person = people.get(row.otherId);
      return person === undefined ? [] : [viewContact(row, person)];
    })
    .toSorted((a, b) => a.person.name.localeCompare(b.person.name));
}

/**
 * Contacts by name, applications that are pending or were answered lately, and people whom the person has
 * blocked. Lists an accepted application only while the two are contacts: otherwise "Accepted" would be
 * wrong.
 */
export async function listRelations(app: App, personId: string): Promise<OutputOf<typeof listContacts>> {
  const { db, clock } = app;
  const answeredSince = later(clock.now(), -answerShownMs);
  const [contacts, rows, blockedIds] = await Promise.all([
    contactsOf(app, personId),
    store.applicationsOf(db, personId, answeredSince),
    store.blockedBy(db, personId),
  ]);
  const blocked = [...(await peopleByIds(app, blockedIds)).values()];
  return {
    contacts,
    applications: await viewApplications(
      app,
      rows.filter(
        ({ status, toId }) => status !== 'accepted' || contacts.some(({ person }) => person.id === toId),
      ),
      personId,
    ),
    blocked: blocked.toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

/**
 * A person's page as the viewer may see it. Refuses `contact.notFound`, also where that person blocked the
 * viewer.
 */
export async function readPerson(
  app: App,
  viewerId: string,
  id: string,
): Promise<OutputOf<typeof readContact>> {
  const { db } = app;
  const person = (await peopleByIds(app, [id])).get(id);
  if (person === undefined) throw personUnknown();
  const nothing = { contact: null, application: null, contactsInCommon: 0, phone: '', interests: '' };
  if (id === viewerId) return { person, relation: 'self', ...nothing, interests: await interestsOf(db, id) };
  const standing = await standingTo(app, viewerId, id);
  const known = relationOf(standing);
  if (known === 'blocked') return { person, relation: known, ...nothing };
  const [contacts, waiting, common, number, interests] = await Promise.all([
    contactsOf(app, viewerId, id),
    store.waitingBetween(db, viewerId, id),
    store.countInCommon(db, [viewerId], [id]),
    provedPhoneOf(db, id),
    interestsOf(db, id),
  ]);
  const shown = standing.isContact && number !== null && phoneShownToContacts(number.phoneSeenBy);
  return {
    person,
    relation: known,
    contact: contacts[0] ?? null,
    application: waiting === null ? null : ((await viewApplications(app, [waiting], viewerId))[0] ?? null),
    contactsInCommon: common[0]?.size ?? 0,
    phone: shown ? number.phone : '',
    interests,
  };
}

/** The viewer's relation to a person, unless that person blocked the viewer. Refuses `contact.notFound`. */
async function standingTo(app: App, viewerId: string, otherId: string): Promise<Standing> {
  const standing = (await store.standings(app.db, viewerId, [otherId])).get(otherId);
  if (standing === undefined) throw personUnknown();
  return standing;
}

/** Changes remark and tags, which only their owner sees. Refuses `contact.notFound`, `tag.notFound`. */
export async function updateContact(
  app: App,
  ownerId: string,
  input: Required<InputOf<typeof updateCall>>,
): Promise<Contact> {
  const tagIds = [...new Set(input.tagIds)];
  await app.transact('update contact', async (tx) => {
    await store.holdPair(tx, ownerId, input.id);
    if (!(await store.updateRemark(tx, ownerId, input.id, input.remark))) throw personUnknown();
    if ((await countOwnTags(tx, ownerId, tagIds)) !== tagIds.length)
      throw notFound('tag.notFound', 'This tag no longer exists.');
    await store.retag(tx, ownerId, input.id, tagIds);
  });
  const [contact] = await contactsOf(app, ownerId, input.id);
  if (contact === undefined) throw personUnknown();
  return contact;
}

/**
 * Ends a contact on both sides, or withdraws an application. Refuses `contact.notFound` where neither exists.
 */
export async function removeContact(app: App, ownerId: string, otherId: string): Promise<void> {
  await app.transact('remove contact', async (tx) => {
    await store.holdPair(tx, ownerId, otherId);
    const ended = await store.deletePair(tx, ownerId, otherId);
    const withdrawn = await store.withdrawApplication(tx, ownerId, otherId);
    if (!ended && !withdrawn) throw personUnknown();
    await signalMove(app, tx, 'ended', { actorId: ownerId, otherId: otherId });
  });
}

import { randomUUID } from 'node:crypto';
import type {
  Application,
  Contact,
  ContactOrigin,
  listContacts,
  readContact,
  Relation,
  reportPerson,
  updateContact,
} from '#contract/contacts/endpoints.ts';
import type { InputOf, OutputOf } from '#contract/define.ts';
import type { Platform } from '../../platform/platform.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn, notFound, Refusal } from '../../platform/refusal.ts';
import { interestsOf, provedPhoneOf } from '../identity/queries.ts';
import type { IdentityService } from '../identity/service.ts';
import {
  applyTries,
  askAgainAfterMs,
  answerShownMs,
  phoneShownToContacts,
  relationOf,
  type Standing,
} from './policy.ts';
import { countOwnTags } from './queries.ts';
import * as store from './store.ts';
import { otherSide, viewApplication, viewContact } from './view.ts';

type Move = 'applied' | 'accepted' | 'denied' | 'met' | 'ended' | 'blocked';
const strangers: Standing = { isContact: false, isBlocked: false, waiting: null };

/** How two people come to know each other, and part again. */
export function createRelations(platform: Platform, identity: IdentityService) {
  const { db, transact, clock, outbox, tries } = platform;

  const tell = (tx: Db, move: Move, actorId: string, otherId: string) =>
    outbox.emit(tx, 'contact.moved', { move, actorId, otherId }, [actorId, otherId].toSorted().join(' '));

  async function contactsOf(ownerId: string, otherId?: string): Promise<Contact[]> {
    const rows = await store.contactsOf(db, ownerId, otherId);
    const people = await identity.people(rows.map((row) => row.otherId));
    return rows
      .flatMap((row) => {
        const person = people.get(row.otherId);
        return person === undefined ? [] : [viewContact(row, person)];
      })
      .toSorted((a, b) => a.person.name.localeCompare(b.person.name));
  }

  async function applicationsView(
    rows: readonly store.ApplicationRow[],
    viewerId: string,
  ): Promise<Application[]> {
    const people = await identity.people(rows.map((row) => otherSide(row, viewerId)));
    return rows.flatMap((row) => {
      const person = people.get(otherSide(row, viewerId));
      return person === undefined ? [] : [viewApplication(row, viewerId, person)];
    });
  }

  /** How the viewer stands to a person who may see them. Refuses `contact.notFound`. */
  async function standingTo(viewerId: string, otherId: string): Promise<Standing> {
    const standing = (await store.standings(db, viewerId, [otherId])).get(otherId);
    if (standing === undefined) throw personUnknown();
    return standing;
  }

  /** The caller holds the pair. @throws Refusal `contact.unable`, `contact.deniedLately` */
  async function applyHeld(
    tx: Db,
    fromId: string,
    toId: string,
    how: { message: string; origin: ContactOrigin },
  ): Promise<Relation> {
    if (!(await store.reachable(tx, fromId, [toId])).has(toId)) throw unable();
    const { isContact } = (await store.standings(tx, fromId, [toId])).get(toId) ?? strangers;
    if (isContact) return 'contact';
    const now = clock.now();
    const waiting = await store.waitingBetween(tx, fromId, toId);
    if (waiting?.fromId === fromId) return 'applied';
    if (waiting !== null) {
      // Each has asked the other: nobody is left to answer.
      await store.settleApplication(tx, waiting.id, 'accepted', now);
      await store.insertPair(tx, { a: fromId, b: toId, origin: waiting.origin, at: now });
      await tell(tx, 'accepted', fromId, toId);
      return 'contact';
    }
    if (await store.wasDenied(tx, fromId, toId, later(now, -askAgainAfterMs))) {
      throw movedOn(
        'contact.deniedLately',
        'They said no lately. You can ask again a week after their answer.',
      );
    }
    const row = { id: randomUUID(), fromId, toId, ...how, status: 'pending' as const };
    await store.insertApplication(tx, { ...row, createdAt: now, answeredAt: null });
    await tell(tx, 'applied', fromId, toId);
    return 'applied';
  }

  return {
    list: (ownerId: string): Promise<Contact[]> => contactsOf(ownerId),

    /**
     * Contacts by name, applications that wait or were answered lately, and whom the person has blocked. An accepted one
     * shows while the two are contacts: "Accepted" beside a person who is none any more would be untrue.
     */
    async overview(personId: string): Promise<OutputOf<typeof listContacts>> {
      const answeredSince = later(clock.now(), -answerShownMs);
      const [contacts, rows, blockedIds] = await Promise.all([
        contactsOf(personId),
        store.applicationsOf(db, personId, answeredSince),
        store.blockedBy(db, personId),
      ]);
      const blocked = [...(await identity.people(blockedIds)).values()];
      return {
        contacts,
        applications: await applicationsView(
          rows.filter(
            ({ status, toId }) => status !== 'accepted' || contacts.some(({ person }) => person.id === toId),
          ),
          personId,
        ),
        blocked: blocked.toSorted((a, b) => a.name.localeCompare(b.name)),
      };
    },

    /** A person's page as the viewer may see it. Refuses `contact.notFound`, also where they blocked the viewer. */
    async detail(viewerId: string, id: string): Promise<OutputOf<typeof readContact>> {
      const person = (await identity.people([id])).get(id);
      if (person === undefined) throw personUnknown();
      const nothing = { contact: null, application: null, contactsInCommon: 0, phone: '', interests: '' };
      if (id === viewerId)
        return { person, relation: 'self', ...nothing, interests: await interestsOf(db, id) };
      const standing = await standingTo(viewerId, id);
      const known = relationOf(standing);
      if (known === 'blocked') return { person, relation: known, ...nothing };
      const [contacts, waiting, common, number, interests] = await Promise.all([
        contactsOf(viewerId, id),
        store.waitingBetween(db, viewerId, id),
        store.countInCommon(db, viewerId, [id]),
        provedPhoneOf(db, id),
        interestsOf(db, id),
      ]);
      const shown = standing.isContact && number !== null && phoneShownToContacts(number.phoneSeenBy);
      return {
        person,
        relation: known,
        contact: contacts[0] ?? null,
        application: waiting === null ? null : ((await applicationsView([waiting], viewerId))[0] ?? null),
        contactsInCommon: common.get(id) ?? 0,
        phone: shown ? number.phone : '',
        interests,
      };
    },

    /**
     * Asks somebody to become a contact; where they have asked already, both are contacts at once.
     * Refuses `contact.self`, `contact.unable` (nobody there, or one has blocked the other), `contact.deniedLately`.
     */
    async apply(
      fromId: string,
      toId: string,
      how: { message: string; origin: ContactOrigin },
    ): Promise<Relation> {
      if (fromId === toId) throw yourself();
      await tries.count(`apply:${fromId}`, applyTries);
      return transact(async (tx) => {
        await store.holdPair(tx, fromId, toId);
        return applyHeld(tx, fromId, toId, how);
      });
    },

    /** Makes two people contacts who stand face to face. Refuses `contact.self`, `contact.unable`. */
    async meet(scannerId: string, shownById: string): Promise<void> {
      if (scannerId === shownById) throw yourself();
      await transact(async (tx) => {
        await store.holdPair(tx, scannerId, shownById);
        if (!(await store.reachable(tx, scannerId, [shownById])).has(shownById)) throw unable();
        const waiting = await store.waitingBetween(tx, scannerId, shownById);
        if (waiting !== null) await store.settleApplication(tx, waiting.id, 'accepted', clock.now());
        await store.insertPair(tx, { a: scannerId, b: shownById, origin: 'FTF_QRCODE', at: clock.now() });
        await tell(tx, 'met', scannerId, shownById);
      });
    },

    /** Makes somebody who signed up by an invitation and their inviter contacts; nothing where one blocked the other. */
    async welcome(newcomerId: string, inviterId: string): Promise<void> {
      await transact(async (tx) => {
        await store.holdPair(tx, newcomerId, inviterId);
        if (!(await store.reachable(tx, newcomerId, [inviterId])).has(inviterId)) return;
        await store.forgetApplications(tx, newcomerId, inviterId);
        await store.insertPair(tx, { a: newcomerId, b: inviterId, origin: 'INVITE', at: clock.now() });
        await tell(tx, 'met', newcomerId, inviterId);
      });
    },

    /** Answers an application to the person, once. Refuses `contact.applicationNotFound`, `contact.answered`. */
    async answer(personId: string, id: string, status: 'accepted' | 'denied'): Promise<Application> {
      const found = await store.findApplication(db, id);
      if (found === null || found.toId !== personId)
        throw notFound('contact.applicationNotFound', 'This application no longer exists.');
      const settled = await transact(async (tx) => {
        await store.holdPair(tx, personId, found.fromId);
        const row = await store.settleApplication(tx, id, status, clock.now());
        if (row === null)
          throw movedOn('contact.answered', 'This application has been answered or taken back already.');
        const pair = { a: row.fromId, b: row.toId, origin: row.origin, at: clock.now() };
        if (status === 'accepted') await store.insertPair(tx, pair);
        await tell(tx, status, personId, row.fromId);
        return row;
      });
      return (await applicationsView([settled], personId))[0]!;
    },

    /** Changes remark and tags, which only their owner sees. Refuses `contact.notFound`, `tag.notFound`. */
    async update(ownerId: string, input: Required<InputOf<typeof updateContact>>): Promise<Contact> {
      const tagIds = [...new Set(input.tagIds)];
      await transact(async (tx) => {
        await store.holdPair(tx, ownerId, input.id);
        if (!(await store.updateRemark(tx, ownerId, input.id, input.remark))) throw personUnknown();
        if ((await countOwnTags(tx, ownerId, tagIds)) !== tagIds.length)
          throw notFound('tag.notFound', 'This tag no longer exists.');
        await store.retag(tx, ownerId, input.id, tagIds);
      });
      const [contact] = await contactsOf(ownerId, input.id);
      if (contact === undefined) throw personUnknown();
      return contact;
    },

    /** Ends a contact on both sides, or takes back an application. Refuses `contact.notFound` where there is neither. */
    async remove(ownerId: string, otherId: string): Promise<void> {
      await transact(async (tx) => {
        await store.holdPair(tx, ownerId, otherId);
        const ended = await store.deletePair(tx, ownerId, otherId);
        const withdrawn = await store.withdrawApplication(tx, ownerId, otherId);
        if (!ended && !withdrawn) throw personUnknown();
        await tell(tx, 'ended', ownerId, otherId);
      });
    },

    /**
     * Hides two people from each other: the contact, its tags and all applications end; the signal closes open asks.
     * Rides that both have joined go on. Refuses `contact.self`, `contact.notFound`.
     */
    async block(blockerId: string, blockedId: string): Promise<void> {
      if (blockerId === blockedId) throw yourself();
      if (!(await identity.people([blockedId])).has(blockedId)) throw personUnknown();
      await transact(async (tx) => {
        await store.holdPair(tx, blockerId, blockedId);
        await store.insertBlock(tx, blockerId, blockedId, clock.now());
        await store.deletePair(tx, blockerId, blockedId);
        await store.forgetApplications(tx, blockerId, blockedId);
        await tell(tx, 'blocked', blockerId, blockedId);
      });
    },

    /** Takes a block back; what was before does not come back. Refuses `contact.notFound`. */
    async unblock(blockerId: string, blockedId: string): Promise<void> {
      await transact(async (tx) => {
        await store.holdPair(tx, blockerId, blockedId);
        if (!(await store.deleteBlock(tx, blockerId, blockedId))) throw personUnknown();
        await tell(tx, 'ended', blockerId, blockedId);
      });
    },

    /** Keeps what somebody tells the admins about a person. Refuses `contact.self`, `contact.notFound`. */
    async report(reporterId: string, input: Required<InputOf<typeof reportPerson>>): Promise<void> {
      const { id: subjectId, reason, words } = input;
      if (reporterId === subjectId) throw yourself();
      if (!(await identity.people([subjectId])).has(subjectId)) throw personUnknown();
      const row = { id: randomUUID(), reporterId, subjectId, reason, words, createdAt: clock.now() };
      await transact((tx) => store.insertReport(tx, row));
    },
  };
}

const personUnknown = () => notFound('contact.notFound', 'This person could not be found.');
const unable = () => notFound('contact.unable', 'Unable to contact.');
const yourself = () => new Refusal('contact.self', 'That is you.');

import { randomUUID } from 'node:crypto';
import type { ContactOrigin, Relation, Application, Contact } from '#contract/contacts/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn, notFound } from '../../platform/refusal.ts';
import { peopleByIds } from '../identity/service.ts';
import { applyTries, askAgainAfterMs, type Standing, tooManyContacts, unable, yourself } from './policy.ts';
import * as store from './store.ts';
import type { ApplicationRow, ContactRow } from './store.ts';

const strangers: Standing = { isContact: false, isBlocked: false, waiting: null };

/**
 * Asks a person to become a contact; if that person has asked already, both are contacts at once. Refuses
 * `contact.self`, `contact.unable` (no such person, or one has blocked the other), `contact.deniedLately`,
 * `contact.tooMany`.
 */
export async function applyForContact(
  app: App,
  fromId: string,
  toId: string,
  how: { message: string; origin: ContactOrigin },
): Promise<Relation> {
  if (fromId === toId) throw yourself();
  const { tries, transact } = app;
  await tries.count(`apply:${fromId}`, applyTries);
  return transact('apply for contact', async (tx) => {
    await store.holdPair(tx, fromId, toId);
    return applyHeld(app, tx, { fromId, toId, ...how });
  });
}

/** The two people of an application, and how the applicant found the other. */
interface Applying {
  fromId: string;
  toId: string;
  message: string;
  origin: ContactOrigin;
}

/**
 * The caller holds the lock on the pair.
 *
 * @throws Refusal `contact.unable`, `contact.deniedLately`, `contact.tooMany`
 */
async function applyHeld(app: App, tx: Db, applying: Applying): Promise<Relation> {
  const { fromId, toId, message, origin } = applying;
  if (!(await store.reachable(tx, fromId, [toId])).has(toId)) throw unable();
  const { isContact } = (await store.standings(tx, fromId, [toId])).get(toId) ?? strangers;
  if (isContact) return 'contact';
  const now = app.clock.now();
  const waiting = await store.waitingBetween(tx, fromId, toId);
  if (waiting?.fromId === fromId) return 'applied';
  if (waiting !== null) {
    if (await store.isOneFull(tx, fromId, toId)) throw tooManyContacts();
    // Each has asked the other, so neither has to answer.
    await store.settleApplication(tx, waiting.id, 'accepted', now);
    await store.insertPair(tx, { a: fromId, b: toId, origin: waiting.origin, at: now });
    await signalMove(app, tx, 'accepted', { actorId: fromId, otherId: toId });
    return 'contact';
  }
  if (await store.wasDenied(tx, fromId, toId, later(now, -askAgainAfterMs))) {
    throw movedOn(
      'contact.deniedLately',
      'They said no recently. You can ask again a week after their answer.',
    );
  }
  const row = { id: randomUUID(), fromId, toId, message, origin, status: 'pending' as const };
  await store.insertApplication(tx, { ...row, createdAt: now, answeredAt: null });
  await signalMove(app, tx, 'applied', { actorId: fromId, otherId: toId });
  return 'applied';
}

/**
 * Accepts or denies an application to the person, once. Refuses `contact.applicationNotFound`,
 * `contact.answered`, `contact.tooMany`.
 */
export async function answerApplication(
  app: App,
  personId: string,
  id: string,
  status: 'accepted' | 'denied',
): Promise<Application> {
  const { db, transact, clock } = app;
  const found = await store.findApplication(db, id);
  if (found === null || found.toId !== personId)
    throw notFound('contact.applicationNotFound', 'This request no longer exists.');
  const settled = await transact('answer application', async (tx) => {
    await store.holdPair(tx, personId, found.fromId);
    const row = await store.settleApplication(tx, id, status, clock.now());
    if (row === null) throw movedOn('contact.answered', 'This request was already answered or withdrawn.');
    const pair = { a: row.fromId, b: row.toId, origin: row.origin, at: clock.now() };
    if (status === 'accepted') {
      if (await store.isOneFull(tx, row.fromId, row.toId)) throw tooManyContacts();
      await store.insertPair(tx, pair);
    }
    await signalMove(app, tx, status, { actorId: personId, otherId: row.fromId });
    return row;
  });
  return (await viewApplications(app, [settled], personId))[0]!;
}

/** Applications with the person on the other side; leaves out those whose account is gone. */
export async function viewApplications(
  app: App,
  rows: readonly ApplicationRow[],
  viewerId: string,
): Promise<Application[]> {
  const people = await peopleByIds(
    app,
    rows.map((row) => otherSide(row, viewerId)),
  );
  return rows.flatMap((row) => {
    const person = people.get(otherSide(row, viewerId));
    return person === undefined ? [] : [viewApplication(row, viewerId, person)];
  });
}

type Move = 'applied' | 'accepted' | 'denied' | 'met' | 'ended' | 'blocked';

/** Emits what has changed between two people, in the transaction that changes it. */
export const signalMove = (
  app: App,
  tx: Db,
  move: Move,
  { actorId, otherId }: { actorId: string; otherId: string },
): Promise<void> =>
  app.outbox.emit(tx, 'contact.moved', { move, actorId, otherId }, [actorId, otherId].toSorted().join(' '));

export const viewContact = (row: ContactRow, person: Person): Contact => ({
  person,
  remark: row.remark,
  tagIds: row.tagIds,
  origin: row.origin,
});

const otherSide = (row: ApplicationRow, viewerId: string): string =>
  row.fromId === viewerId ? row.toId : row.fromId;

/** @param person the other side. */
const viewApplication = (row: ApplicationRow, viewerId: string, person: Person): Application => ({
  id: row.id,
  person,
  direction: row.fromId === viewerId ? 'out' : 'in',
  message: row.message,
  origin: row.origin,
  status: row.status,
  at: row.createdAt.toISOString(),
});

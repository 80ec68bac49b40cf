import { randomUUID } from 'node:crypto';
import type { ContactOrigin, Relation } from '#contract/contacts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import { applyTries, askAgainAfterMs, type Standing } from './policy.ts';
import { tooManyContacts, unable, yourself } from './refusals.ts';
import { signalMove } from './signal-move.ts';
import * as store from './store.ts';

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

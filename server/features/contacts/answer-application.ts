import type { Application } from '#contract/contacts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { movedOn, notFound } from '../../platform/refusal.ts';
import { viewApplications } from './applications.ts';
import { tooManyContacts } from './refusals.ts';
import { signalMove } from './signal-move.ts';
import * as store from './store.ts';

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

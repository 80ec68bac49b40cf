import type { ContactOrigin } from '#contract/contacts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { tooManyContacts, unable, yourself } from './refusals.ts';
import { signalMove } from './signal-move.ts';
import * as store from './store.ts';

/**
 * Makes two people who meet in person contacts. Refuses `contact.self`, `contact.unable`, `contact.tooMany`.
 */
export async function meetPerson(app: App, scannerId: string, shownById: string): Promise<void> {
  const { transact, clock } = app;
  if (scannerId === shownById) throw yourself();
  await transact('meet person', async (tx) => {
    await store.holdPair(tx, scannerId, shownById);
    if (!(await store.reachable(tx, scannerId, [shownById])).has(shownById)) throw unable();
    if (await store.isOneFull(tx, scannerId, shownById)) throw tooManyContacts();
    const waiting = await store.waitingBetween(tx, scannerId, shownById);
    if (waiting !== null) await store.settleApplication(tx, waiting.id, 'accepted', clock.now());
    await store.insertPair(tx, { a: scannerId, b: shownById, origin: 'FTF_QRCODE', at: clock.now() });
    await signalMove(app, tx, 'met', { actorId: scannerId, otherId: shownById });
  });
}

/**
 * Makes a person who signed up by an invitation and their inviter contacts; does nothing where one blocked
 * the other, or the inviter has as many contacts as one can have.
 */
export async function welcomeInvited(app: App, newcomerId: string, inviterId: string): Promise<void> {
  const { transact, clock } = app;
  await transact('welcome invited', async (tx) => {
    await store.holdPair(tx, newcomerId, inviterId);
    if (!(await store.reachable(tx, newcomerId, [inviterId])).has(inviterId)) return;
    if (await store.isOneFull(tx, newcomerId, inviterId)) return;
    await store.forgetApplications(tx, newcomerId, inviterId);
    await store.insertPair(tx, { a: newcomerId, b: inviterId, origin: 'INVITE', at: clock.now() });
    await signalMove(app, tx, 'met', { actorId: newcomerId, otherId: inviterId });
  });
}

/** Makes two people contacts, if they are not yet. For the demo community. */
export async function befriend(
  { transact, clock }: App,
  a: string,
  b: string,
  origin: ContactOrigin = 'DIRECT',
): Promise<void> {
  await transact('befriend', (tx) => store.insertPair(tx, { a, b, origin, at: clock.now() }));
}

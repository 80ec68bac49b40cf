import type { ContactOrigin, scanCode as scanCall } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { invitationPurpose } from '../identity/service.ts';
import { signalMove, applyForContact } from './apply-for-contact.ts';
import { readPerson } from './own-contacts.ts';
import { qrLifeMs, tooManyContacts, unable, yourself } from './policy.ts';
import { codeIn } from './rules/scanned.ts';
import * as store from './store.ts';

/**
 * Makes two people who meet in person contacts. Refuses `contact.self`, `contact.unable`, `contact.tooMany`.
 */
async function meetPerson(app: App, scannerId: string, shownById: string): Promise<void> {
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

const qrPurpose = 'contact qr';

/** A code that makes the person who scans it within ten minutes a contact of its owner. */
export async function makeQrCode(
  { clock, signedTokens }: App,
  personId: string,
): Promise<{ code: string; expiresAt: string }> {
  const expiresAt = later(clock.now(), qrLifeMs);
  return {
    code: await signedTokens.sign(qrPurpose, [personId], expiresAt),
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Redeems a scanned code. Refuses `contact.qrInvalid` for a text that is no valid code of this app,
 * `contact.self`, `contact.unable`, `contact.deniedLately`.
 */
export async function scanCode(
  app: App,
  scannerId: string,
  scanned: string,
): Promise<OutputOf<typeof scanCall>> {
  const { signedTokens } = app;
  const code = codeIn(scanned);
  const shownBy = (await signedTokens.verify(qrPurpose, code))?.[0];
  const invitedBy = (await signedTokens.verify(invitationPurpose, code))?.[0];
  const otherId = shownBy ?? invitedBy;
  if (otherId === undefined) throw refuseField('contact.qrInvalid', 'code', 'Invalid QR Code.');
  // An invitation may have been forwarded: only a person who signs up by it is a contact at once.
  if (shownBy === undefined)
    await applyForContact(app, scannerId, otherId, { message: '', origin: 'INVITE' });
  else await meetPerson(app, scannerId, otherId);
  const { person, relation } = await readPerson(app, scannerId, otherId);
  return { person, relation };
}

import type { App } from '../../app-type.ts';
import { peopleByIds } from '../identity/service.ts';
import { personUnknown, yourself } from './refusals.ts';
import { signalMove } from './signal-move.ts';
import * as store from './store.ts';

/**
 * Hides two people from each other: deletes the contact, its tags and all applications; the signal closes
 * open asks. Rides that both have joined continue. Refuses `contact.self`, `contact.notFound`.
 */
export async function blockPerson(app: App, blockerId: string, blockedId: string): Promise<void> {
  if (blockerId === blockedId) throw yourself();
  if (!(await peopleByIds(app, [blockedId])).has(blockedId)) throw personUnknown();
  await app.transact('block person', async (tx) => {
    await store.holdPair(tx, blockerId, blockedId);
    await store.insertBlock(tx, blockerId, blockedId, app.clock.now());
    await store.deletePair(tx, blockerId, blockedId);
    await store.forgetApplications(tx, blockerId, blockedId);
    await signalMove(app, tx, 'blocked', { actorId: blockerId, otherId: blockedId });
  });
}

/** Removes a block; the contact, its tags and applications stay deleted. Refuses `contact.notFound`. */
export async function unblockPerson(app: App, blockerId: string, blockedId: string): Promise<void> {
  await app.transact('unblock person', async (tx) => {
    await store.holdPair(tx, blockerId, blockedId);
    if (!(await store.deleteBlock(tx, blockerId, blockedId))) throw personUnknown();
    await signalMove(app, tx, 'ended', { actorId: blockerId, otherId: blockedId });
  });
}

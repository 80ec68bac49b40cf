import type { ContactsContext } from './context.ts';
import { personUnknown, yourself } from './refusals.ts';
import { signalMove } from './signal-move.ts';
import * as store from './store.ts';
import { peopleByIds } from '../identity/service.ts';

/**
 * Hides two people from each other: deletes the contact, its tags and all applications; the signal closes
 * open asks. Rides that both have joined continue. Refuses `contact.self`, `contact.notFound`.
 */
export async function blockPerson(
  context: ContactsContext,
  blockerId: string,
  blockedId: string,
): Promise<void> {
  const { platform } = context;
  if (blockerId === blockedId) throw yourself();
  if (!(await peopleByIds(platform, [blockedId])).has(blockedId)) throw personUnknown();
  await platform.transact(async (tx) => {
    await store.holdPair(tx, blockerId, blockedId);
    await store.insertBlock(tx, blockerId, blockedId, platform.clock.now());
    await store.deletePair(tx, blockerId, blockedId);
    await store.forgetApplications(tx, blockerId, blockedId);
    await signalMove(context, tx, 'blocked', { actorId: blockerId, otherId: blockedId });
  });
}

/** Removes a block; the contact, its tags and applications stay deleted. Refuses `contact.notFound`. */
export async function unblockPerson(
  context: ContactsContext,
  blockerId: string,
  blockedId: string,
): Promise<void> {
  await context.platform.transact(async (tx) => {
    await store.holdPair(tx, blockerId, blockedId);
    if (!(await store.deleteBlock(tx, blockerId, blockedId))) throw personUnknown();
    await signalMove(context, tx, 'ended', { actorId: blockerId, otherId: blockedId });
  });
}

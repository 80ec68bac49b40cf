import type { App } from '../../app-type.ts';
import { personUnknown } from './refusals.ts';
import { signalMove } from './signal-move.ts';
import * as store from './store.ts';

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

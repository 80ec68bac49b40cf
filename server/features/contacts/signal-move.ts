import type { Db } from '../../platform/database/db.ts';
import type { ContactsContext } from './context.ts';

type Move = 'applied' | 'accepted' | 'denied' | 'met' | 'ended' | 'blocked';

/** Emits what has changed between two people, in the transaction that changes it. */
export const signalMove = (
  { platform }: ContactsContext,
  tx: Db,
  move: Move,
  { actorId, otherId }: { actorId: string; otherId: string },
): Promise<void> =>
  platform.outbox.emit(
    tx,
    'contact.moved',
    { move, actorId, otherId },
    [actorId, otherId].toSorted().join(' '),
  );

import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';

type Move = 'applied' | 'accepted' | 'denied' | 'met' | 'ended' | 'blocked';

/** Emits what has changed between two people, in the transaction that changes it. */
export const signalMove = (
  app: App,
  tx: Db,
  move: Move,
  { actorId, otherId }: { actorId: string; otherId: string },
): Promise<void> =>
  app.outbox.emit(tx, 'contact.moved', { move, actorId, otherId }, [actorId, otherId].toSorted().join(' '));

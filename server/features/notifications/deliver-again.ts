import type { OutputOf } from '#contract/define.ts';
import type { listUndelivered as listCall, Undelivered } from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { CommandPlatform } from '../../platform/command-platform.ts';
import {
  failedDeliveryPage,
  takeFailedDelivery,
  type FailedDelivery,
} from '../../platform/events/failed-deliveries.ts';
import { notFound } from '../../platform/refusal.ts';
import { peopleAt } from '../identity/queries.ts';

export const viewFailedDelivery = ({
  id,
  task,
  recipient,
  what,
  error,
  attempts,
  at,
}: FailedDelivery): Undelivered => ({
  id,
  task,
  to: recipient,
  what,
  error,
  attempts,
  at: at.toISOString(),
});

/**
 * Puts a failed delivery back into the queue, or drops it. Refuses one that another admin has already
 * handled.
 * @param adminId null for the command line
 */
export async function deliverAgain(
  { transact, audit, outbox }: Pick<CommandPlatform, 'transact' | 'audit' | 'outbox'>,
  adminId: string | null,
  { id, drop }: { id: string; drop: boolean },
): Promise<void> {
  await transact('deliver again', async (tx) => {
    const row = await takeFailedDelivery(tx, id);
    if (row === null) throw notFound('undelivered.notFound');
    const [personId = null] = await peopleAt(tx, [row.recipient]);
    const action = drop ? 'undelivered.dropped' : 'undelivered.again';
    await audit.note(tx, { adminId, action, personId, thingId: id, note: row.what });
    if (!drop) await outbox.again(tx, row.task, row.payload);
  });
}

/** A page of failed deliveries, for admins. */
export async function listUndelivered(
  { db, audit }: App,
  adminId: string,
  page: { offset: number; size: number },
): Promise<OutputOf<typeof listCall>> {
  const { rows, total } = await failedDeliveryPage(db, page);
  const personIds = await peopleAt(
    db,
    rows.map(({ recipient }) => recipient),
  );
  await audit.noteReading(adminId, 'undelivered', personIds);
  return { undelivered: rows.map(viewFailedDelivery), total };
}

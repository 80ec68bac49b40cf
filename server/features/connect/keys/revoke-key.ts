import type { Db } from '../../../platform/database/db.ts';
import { notFound } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import * as store from './store.ts';

/**
 * Revokes a key, in the caller's transaction, and writes it to the audit log. A key that is already revoked
 * does not change. Refuses `key.notFound`.
 * @param adminId null for the command line.
 */
export async function revokeKey(
  tx: Db,
  { id, adminId }: { id: string; adminId: string | null },
  at: Date,
): Promise<store.KeyRow> {
  const revoked = await store.revoke(tx, id, at);
  if (revoked === null) throw notFound('key.notFound', 'We couldn’t find this API key.');
  const { row, isEndedNow } = revoked;
  const deed = { adminId, personId: row.userId, thingId: id, note: `${row.name} (${row.shown})` };
  if (isEndedNow) await noteDeed(tx, { ...deed, action: 'key.revoked' }, at);
  return row;
}

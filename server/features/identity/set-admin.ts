import type { Db } from '../../platform/database/db.ts';
import { noteDeed } from '../../platform/security/audit-log.ts';
import * as store from './store.ts';

/**
 * Grants or revokes admin rights of an account; false when there is no such account. Applies from the next
 * call; the admins' log records it as done by the command line.
 */
export const setAdmin = (db: Db, email: string, isAdmin: boolean, at: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const personId = await store.setAdmin(tx, email.trim().toLowerCase(), isAdmin);
    if (personId === null) return false;
    await noteDeed(tx, { adminId: null, action: isAdmin ? 'admin.granted' : 'admin.revoked', personId }, at);
    return true;
  });

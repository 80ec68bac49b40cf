import type { Db } from '../../../platform/database/db.ts';
import { postEmail } from '../../../platform/events/outbox.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import { factorEmail } from '../rules/emails.ts';
import { findUser } from '../store.ts';
import * as store from './store.ts';

/**
 * Removes all second factors of an account whose owner has lost them; only the command line calls it. It
 * writes to the audit log and emails the person. @returns how many there were; null if there is no such
 * account.
 */
export const resetFactors = (db: Db, email: string, at: Date): Promise<number | null> =>
  db.transaction(async (tx) => {
    const person = await findUser(tx, { email: email.trim().toLowerCase() });
    if (person === null) return null;
    const removed = await store.deleteFactors(tx, person.id);
    await store.endTickets(tx, person.id);
    await noteDeed(tx, { adminId: null, action: 'factors.reset', personId: person.id }, at);
    await postEmail(tx, { to: person.email, ...factorEmail(person.language, { kind: 'allRemoved' }) });
    return removed;
  });

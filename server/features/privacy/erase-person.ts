import type { Db } from '../../platform/database/db.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { eraseTriesOf } from '../../platform/http/tries.ts';
import { eraseMessagesTo } from '../../platform/messages/built-in-outbox.ts';
import { replaceName } from '../chat/service.ts';
import { emptyAccount, lockAccount, eraseCodes, eraseSignups, emptyOut } from '../identity/service.ts';
import { coarsenStops } from '../orders/service.ts';
import { personalTables } from './rules/personal-tables.ts';

/** The tables in the order in which they are erased, each once. */
const erasedTables = [
  ...new Set(
    personalTables.filter(({ erasedElsewhere }) => erasedElsewhere !== true).map(({ table }) => table),
  ),
];

/**
 * Erases all of a person but what belongs to others' rides. Each owner erases its own tables, in the order of
 * `personalTables`, in one transaction of the caller.
 * @throws Error at once where a table has no owner that erases it, or an owner erases one that is not in the
 *   list.
 */
export function createErasePerson(erasures: readonly Erasure[]) {
  const erasure = new Map(erasures.flatMap((each) => Object.entries(each)));
  const unlike = [...erasure.keys(), ...erasedTables].filter(
    (table) => !erasure.has(table) || !erasedTables.includes(table),
  );
  if (unlike.length > 0)
    throw new Error(`personalTables and the erasures of the owners differ: ${unlike.join(', ')}.`);

  return async (tx: Db, userId: string, at: Date): Promise<void> => {
    const person = await lockAccount(tx, userId);
    if (person === null) return;
    // Rows that are keyed by the email or the phone instead of the id.
    for (const name of [person.email, person.phone, person.id].filter((each) => each !== '')) {
      await eraseTriesOf(tx, name);
      await eraseCodes(tx, name);
    }
    await eraseSignups(tx, person.email);
    await eraseMessagesTo(tx, [person.email, person.phone]);
    // The person's places in rows that belong to a ride.
    await coarsenStops(tx, person.id);
    if (person.name !== '') await replaceName(tx, person, emptyAccount.name);
    for (const table of erasedTables) await erasure.get(table)?.(tx, person.id);
    await emptyOut(tx, person.id, at);
  };
}

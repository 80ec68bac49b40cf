import type { Db } from '../../../platform/database/db.ts';
import { dayLater } from '../rules/recurring-days.ts';
import * as store from './store.ts';

/**
 * The recurring rides whose day an order is, and the paired outbound or return order; null where there is
 * none.
 */
export async function pairOfOrder(
  db: Db,
  role: 'driver' | 'passenger',
  row: { id: string; pairId: string | null; recurringId: string | null },
): Promise<{ pairedId: string | null; series: { id: string; day: string } | null }> {
  if (row.recurringId === null) return { pairedId: await store.pairedOrder(db, role, row), series: null };
  const [own, recurring] = await Promise.all([
    store.dayOfOrder(db, row.id),
    store.recurringById(db, row.recurringId),
  ]);
  if (own === null || recurring === null) return { pairedId: null, series: null };
  const paired = await store.pairedRecurring(db, recurring);
  const pairedDay = dayLater(own.day, recurring.pairedDaysLater);
  const pairedId = paired === null ? null : await store.orderOfDay(db, paired.id, pairedDay);
  return { pairedId, series: { id: recurring.id, day: own.day } };
}

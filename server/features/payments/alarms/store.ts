import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { PaymentAlarmKind } from '#contract/payments/views.ts';
import type { Db } from '../../../platform/database/db.ts';
import { paymentAlarms } from '../../../schema/payments.ts';

export interface Alarm {
  kind: PaymentAlarmKind;
  /** The authorization, chargeback or warning it is about; empty for the installation. */
  about: string;
  detail: string;
}

export type AlarmRow = typeof paymentAlarms.$inferSelect;

/** Raises an alarm; one that is raised already counts once more. @returns whether it is new. */
export async function raise(
  tx: Db,
  row: Pick<AlarmRow, 'id' | 'kind' | 'about' | 'detail' | 'firstAt'>,
): Promise<boolean> {
  const { detail, firstAt: lastAt } = row;
  const [kept] = await tx
    .insert(paymentAlarms)
    .values({ ...row, lastAt })
    .onConflictDoUpdate({
      target: [paymentAlarms.kind, paymentAlarms.about],
      targetWhere: isNull(paymentAlarms.endedAt),
      set: { detail, lastAt, times: sql`${paymentAlarms.times} + 1` },
    })
    .returning();
  return kept?.id === row.id;
}

export async function endOf(
  tx: Db,
  { kind, about }: Pick<AlarmRow, 'kind' | 'about'>,
  endedAt: Date,
): Promise<void> {
  const open = and(
    eq(paymentAlarms.kind, kind),
    eq(paymentAlarms.about, about),
    isNull(paymentAlarms.endedAt),
  );
  await tx.update(paymentAlarms).set({ endedAt }).where(open);
}

/** Ends an open alarm; null where there is none. */
export async function end(
  tx: Db,
  id: string,
  set: { endedAt: Date; endedById: string },
): Promise<AlarmRow | null> {
  const open = and(eq(paymentAlarms.id, id), isNull(paymentAlarms.endedAt));
  return (await tx.update(paymentAlarms).set(set).where(open).returning())[0] ?? null;
}

/** Alarms that wait for an admin, the newest first. */
export function openAlarms(db: Db): Promise<AlarmRow[]> {
  return db
    .select()
    .from(paymentAlarms)
    .where(isNull(paymentAlarms.endedAt))
    .orderBy(desc(paymentAlarms.lastAt))
    .limit(100);
}

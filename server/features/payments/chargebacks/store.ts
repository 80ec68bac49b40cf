import { and, asc, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { countedFor, countUpTo } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { authorizations, chargebacks, fraudWarnings, type StoredEvidence } from '../../../schema/payments.ts';
import type { AuthorizationRow, ProviderKind } from '../authorizations/store.ts';
import type { PaymentPorts } from '../ports.ts';

export type ChargebackRow = typeof chargebacks.$inferSelect;
export type WarningRow = typeof fraudWarnings.$inferSelect;

/** False where it is known already. */
export async function insertChargeback(tx: Db, row: typeof chargebacks.$inferInsert): Promise<boolean> {
  return (await tx.insert(chargebacks).values(row).onConflictDoNothing().returning()).length > 0;
}

export async function lockChargeback(tx: Db, id: string): Promise<ChargebackRow> {
  const [row] = await tx.select().from(chargebacks).where(eq(chargebacks.id, id)).for('update');
  if (row === undefined) throw new Error(`There is no chargeback ${id}.`);
  return row;
}

export async function saveChargeback(
  tx: Db,
  id: string,
  set: Partial<ChargebackRow>,
): Promise<ChargebackRow | null> {
  return (await tx.update(chargebacks).set(set).where(eq(chargebacks.id, id)).returning())[0] ?? null;
}

export const isAnyChargebackDue = (now: Date): SQL =>
  sql`exists (select from chargebacks where next_at <= ${now.toISOString()})`;

/** Leases chargebacks whose transfers are due; those that another process has leased are left alone. */
export async function leaseDueChargebacks(
  db: Db,
  provider: ProviderKind,
  { now, leaseEndsAt, most }: { now: Date; leaseEndsAt: Date; most: number },
): Promise<ChargebackRow[]> {
  const due = sql`select id from chargebacks where next_at <= ${now.toISOString()} and provider = ${provider}
    order by next_at limit ${most} for update skip locked`;
  return db
    .update(chargebacks)
    .set({ nextAt: leaseEndsAt, attempts: sql`${chargebacks.attempts} + 1` })
    .where(sql`${chargebacks.id} in (${due})`)
    .returning();
}

/**
 * Whether what was paid with an authorization is, or may be, taken back by its bank, or was won and has not
 * reached the driver yet: a refund reverses their share there.
 */
export async function isChargedBack(tx: Db, authorizationId: string): Promise<boolean> {
  const against = sql`(${chargebacks.state} not in ('won', 'warning_closed', 'prevented')
    or ${chargebacks.transfer} in ('toTakeBack', 'takenBack', 'toSendAgain'))`;
  return (await tx.$count(chargebacks, and(eq(chargebacks.authorizationId, authorizationId), against))) > 0;
}

/** The chargebacks of an authorization after which the driver's transfer was repeated, the oldest first. */
export async function repeatedTransfersOf(db: Db, authorizationId: string): Promise<string[]> {
  const rows = await db
    .select({ id: chargebacks.id })
    .from(chargebacks)
    .where(and(eq(chargebacks.authorizationId, authorizationId), eq(chargebacks.transfer, 'sentAgain')))
    .orderBy(asc(chargebacks.openedAt), asc(chargebacks.id));
  return rows.map(({ id }) => id);
}

/**
 * Writes a fraud warning; one that is known may no longer be actionable. False, and nothing is written, where
 * another read has been stored since `seen`.
 */
export async function saveWarning(
  tx: Db,
  row: typeof fraudWarnings.$inferInsert,
  seen: Pick<WarningRow, 'factsVersion'> | null,
): Promise<boolean> {
  if (seen === null)
    return (await tx.insert(fraudWarnings).values(row).onConflictDoNothing().returning()).length > 0;
  const { id, isActionable, authorizationId = null } = row;
  const asSeen = and(eq(fraudWarnings.id, id), eq(fraudWarnings.factsVersion, seen.factsVersion));
  const set = { isActionable, authorizationId, factsVersion: seen.factsVersion + 1 };
  return (await tx.update(fraudWarnings).set(set).where(asSeen).returning()).length > 0;
}

type Cleared = Pick<ChargebackRow, 'clearedAt' | 'clearedById'>;

/**
 * Lets the passenger behind a chargeback or warning pay by card again; null where an admin has done so
 * already.
 */
export async function clearChargebackOrWarning(
  tx: Db,
  id: string,
  set: Cleared,
): Promise<{ kind: 'chargeback' | 'fraudWarning'; authorizationId: string | null } | null> {
  const [one] = await tx
    .update(chargebacks)
    .set(set)
    .where(and(eq(chargebacks.id, id), isNull(chargebacks.clearedAt)))
    .returning();
  if (one !== undefined) return { kind: 'chargeback', authorizationId: one.authorizationId };
  const [other] = await tx
    .update(fraudWarnings)
    .set(set)
    .where(and(eq(fraudWarnings.id, id), isNull(fraudWarnings.clearedAt)))
    .returning();
  return other === undefined ? null : { kind: 'fraudWarning', authorizationId: other.authorizationId };
}

export async function chargebackById(db: Db, id: string): Promise<ChargebackRow | null> {
  return (await db.select().from(chargebacks).where(eq(chargebacks.id, id)))[0] ?? null;
}

export async function warningById(db: Db, id: string): Promise<WarningRow | null> {
  return (await db.select().from(fraudWarnings).where(eq(fraudWarnings.id, id)))[0] ?? null;
}

/** Maximum chargebacks read again in one round. */
const mostReadAgain = 20;

/** Chargebacks and warnings that were written without their payment, which is known now. */
export async function withPaymentKnownSince(
  db: Db,
  provider: ProviderKind,
): Promise<{ chargebackIds: string[]; warningIds: string[] }> {
  const paid = sql`join authorizations h on h.payment_id = a.payment_id
    where a.authorization_id is null and a.payment_id is not null and a.provider = ${provider} limit ${mostReadAgain}`;
  const [chargebackRows, warningRows] = await Promise.all([
    db.execute<{ id: string }>(sql`select a.id from chargebacks a ${paid}`),
    db.execute<{ id: string }>(sql`select a.id from fraud_warnings a ${paid}`),
  ]);
  const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);
  return { chargebackIds: idsOf(chargebackRows), warningIds: idsOf(warningRows) };
}

interface Page {
  offset: number;
  size: number;
}

/** Chargebacks with their payments, those that still can be answered first, then the newest. */
export async function listChargebacks(
  db: Db,
  { offset, size }: Page,
): Promise<{ rows: { chargeback: ChargebackRow; authorization: AuthorizationRow | null }[]; total: number }> {
  const rows = await db
    .select({ chargeback: chargebacks, authorization: authorizations })
    .from(chargebacks)
    .leftJoin(authorizations, eq(authorizations.id, chargebacks.authorizationId))
    .orderBy(
      sql`${chargebacks.state} in ('needs_response', 'warning_needs_response') desc`,
      desc(chargebacks.openedAt),
      desc(chargebacks.id),
    )
    .offset(offset)
    .limit(size);
  return {
    rows,
    total: await countUpTo(db, chargebacks, { by: sql`opened_at desc`, most: countedFor({ offset, size }) }),
  };
}

/** Warnings that no admin has handled, the newest first. */
export function openWarnings(
  db: Db,
): Promise<{ warning: WarningRow; authorization: AuthorizationRow | null }[]> {
  return db
    .select({ warning: fraudWarnings, authorization: authorizations })
    .from(fraudWarnings)
    .leftJoin(authorizations, eq(authorizations.id, fraudWarnings.authorizationId))
    .where(and(isNull(fraudWarnings.clearedAt), eq(fraudWarnings.isActionable, true)))
    .orderBy(desc(fraudWarnings.at))
    .limit(100);
}

/** Evidence for a payment: the booking's moves, the proof of boarding, and the conversation of the two. */
export async function evidenceOf(
  db: Db,
  records: Pick<PaymentPorts, 'movesOf' | 'writtenInRide'>,
  { rideId, bookingId, passengerId, driverId }: AuthorizationRow,
): Promise<StoredEvidence> {
  const moves = await records.movesOf(db, { rideId, bookingId });
  const boarded = moves.find(({ thing, toState }) => thing === 'booking' && toState === 'picked');
  const chat = await records.writtenInRide(db, rideId, [passengerId, driverId]);
  const instant = (at: Date | null) => at?.toISOString() ?? null;
  return {
    timeline: moves.map(({ at, move, toState, actor }) => ({
      at: at.toISOString(),
      move,
      state: toState,
      actor,
    })),
    boarding:
      boarded === undefined ? null : { at: boarded.at.toISOString(), by: boarded.note || boarded.actor },
    chat: chat === null ? null : { ...chat, firstAt: instant(chat.firstAt), lastAt: instant(chat.lastAt) },
  };
}

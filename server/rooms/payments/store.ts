import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notInArray,
  or,
  sql,
} from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import {
  cardHolds,
  cards,
  disputes,
  ledgerLines,
  payers,
  paymentAccounts,
  providerEvents,
  reconciliations,
  type StoredDifference,
} from '../../tables/payments.ts';
import { brokenBookings } from '../../tables/rides.ts';
import type { LedgerLine } from './rules/ledger.ts';
import { accountTroubles } from './rules/next-step.ts';

export type { StoredDifference } from '../../tables/payments.ts';
export type HoldRow = typeof cardHolds.$inferSelect;
export type NewHold = typeof cardHolds.$inferInsert;
export type CardRow = typeof cards.$inferSelect;
export type AccountRow = typeof paymentAccounts.$inferSelect;
export type DisputeRow = typeof disputes.$inferSelect;
export type ProviderKind = HoldRow['provider'];

// Work of one round of the clock; the rest follows in the next.
const mostAtOnce = 40;

export async function payerOf(db: Db, userId: string, provider: ProviderKind): Promise<string | null> {
  const own = and(eq(payers.userId, userId), eq(payers.provider, provider));
  const [row] = await db.select().from(payers).where(own);
  return row?.customerId ?? null;
}

/** Notes whom the provider knows a person as; the first one stays. */
export async function savePayer(db: Db, row: typeof payers.$inferInsert): Promise<string> {
  await db.insert(payers).values(row).onConflictDoNothing();
  return (await payerOf(db, row.userId, row.provider)) ?? row.customerId;
}

export async function payerByCustomer(db: Db, customerId: string): Promise<string | null> {
  const [row] = await db.select().from(payers).where(eq(payers.customerId, customerId));
  return row?.userId ?? null;
}

/** The saved cards of a person, the newest first. */
export async function cardsOf(db: Db, userId: string, provider: ProviderKind): Promise<CardRow[]> {
  const own = and(eq(cards.userId, userId), eq(cards.provider, provider));
  return db.select().from(cards).where(own).orderBy(asc(cards.position));
}

/** Replaces what is known of a person's cards. */
export async function saveCards(
  tx: Db,
  userId: string,
  provider: ProviderKind,
  rows: readonly (typeof cards.$inferInsert)[],
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cards:${userId}`}, 0))`);
  await tx.delete(cards).where(and(eq(cards.userId, userId), eq(cards.provider, provider)));
  if (rows.length > 0)
    await tx
      .insert(cards)
      .values([...rows])
      .onConflictDoNothing();
}

export async function accountOf(db: Db, userId: string, provider: ProviderKind): Promise<AccountRow | null> {
  const own = and(eq(paymentAccounts.userId, userId), eq(paymentAccounts.provider, provider));
  return (await db.select().from(paymentAccounts).where(own))[0] ?? null;
}

/** Notes a person's account; the first one stays. */
export async function saveAccount(db: Db, row: typeof paymentAccounts.$inferInsert): Promise<void> {
  await db.insert(paymentAccounts).values(row).onConflictDoNothing();
}

export async function updateAccount(
  db: Db,
  accountId: string,
  set: Pick<AccountRow, 'state' | 'missing' | 'checkedAt'>,
): Promise<AccountRow | null> {
  const known = eq(paymentAccounts.accountId, accountId);
  return (await db.update(paymentAccounts).set(set).where(known).returning())[0] ?? null;
}

/** Accounts whose papers were being looked at when they were last read. */
export async function unsettledAccounts(db: Db, checkedBefore: Date): Promise<AccountRow[]> {
  const due = and(
    inArray(paymentAccounts.state, ['started', 'restricted']),
    lte(paymentAccounts.checkedAt, checkedBefore),
  );
  return db.select().from(paymentAccounts).where(due).limit(mostAtOnce);
}

export async function insertHold(tx: Db, row: NewHold): Promise<HoldRow> {
  return (await tx.insert(cardHolds).values(row).returning())[0]!;
}

/** The payment of a booking: its current hold, locked where something about it will be decided. */
export async function currentHold(tx: Db, bookingId: string, locked = false): Promise<HoldRow | null> {
  const current = and(eq(cardHolds.bookingId, bookingId), eq(cardHolds.isCurrent, true));
  const found = tx.select().from(cardHolds).where(current);
  return (await (locked ? found.for('update') : found))[0] ?? null;
}

export async function currentHolds(db: Db, bookingIds: readonly string[]): Promise<HoldRow[]> {
  if (bookingIds.length === 0) return [];
  const current = and(inArray(cardHolds.bookingId, [...bookingIds]), eq(cardHolds.isCurrent, true));
  return db.select().from(cardHolds).where(current);
}

export async function holdById(db: Db, id: string): Promise<HoldRow | null> {
  return (await db.select().from(cardHolds).where(eq(cardHolds.id, id)))[0] ?? null;
}

export async function lockHold(tx: Db, id: string): Promise<HoldRow | null> {
  return (await tx.select().from(cardHolds).where(eq(cardHolds.id, id)).for('update'))[0] ?? null;
}

export async function holdByPayment(db: Db, paymentId: string): Promise<HoldRow | null> {
  return (await db.select().from(cardHolds).where(eq(cardHolds.paymentId, paymentId)))[0] ?? null;
}

/** Says what is wanted of a hold; whoever works on it looks again. */
export async function want(tx: Db, id: string, set: Partial<HoldRow>, now: Date): Promise<void> {
  await tx
    .update(cardHolds)
    .set({ ...set, version: sql`${cardHolds.version} + 1`, updatedAt: now })
    .where(eq(cardHolds.id, id));
}

/** What the provider says of a hold. */
export async function know(tx: Db, id: string, set: Partial<HoldRow>, now: Date): Promise<HoldRow> {
  const rows = await tx
    .update(cardHolds)
    .set({ ...set, factsVersion: sql`${cardHolds.factsVersion} + 1`, updatedAt: now })
    .where(eq(cardHolds.id, id))
    .returning();
  return rows[0]!;
}

/** Holds that wait to be worked on. */
export async function dueHolds(db: Db, provider: ProviderKind, now: Date): Promise<HoldRow[]> {
  const due = and(lte(cardHolds.nextAt, now), eq(cardHolds.provider, provider));
  return db.select().from(cardHolds).where(due).orderBy(asc(cardHolds.nextAt)).limit(mostAtOnce);
}

/** Takes a hold to work on it until `leaseEndsAt`; null when somebody else has. */
export async function claimHold(
  db: Db,
  { id, version, nextAt }: HoldRow,
  leaseEndsAt: Date,
): Promise<HoldRow | null> {
  if (nextAt === null) return null;
  const seen = and(eq(cardHolds.id, id), eq(cardHolds.version, version), eq(cardHolds.nextAt, nextAt));
  const rows = await db
    .update(cardHolds)
    .set({ nextAt: leaseEndsAt, attempts: sql`${cardHolds.attempts} + 1` })
    .where(seen)
    .returning();
  return rows[0] ?? null;
}

/** Puts a hold down again, unless something else has been wanted of it meanwhile. */
export async function restHold(
  db: Db,
  { id, version }: HoldRow,
  set: Pick<HoldRow, 'nextAt' | 'attempts'>,
): Promise<void> {
  await db
    .update(cardHolds)
    .set(set)
    .where(and(eq(cardHolds.id, id), eq(cardHolds.version, version)));
}

export async function writeLedger(tx: Db, lines: readonly LedgerLine[]): Promise<void> {
  if (lines.length > 0) await tx.insert(ledgerLines).values([...lines]);
}

/** What the ledger says of holds, by account name. */
export async function ledgerOf(
  db: Db,
  holdIds: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const found = new Map<string, Record<string, number>>();
  if (holdIds.length === 0) return found;
  const rows = await db
    .select({
      holdId: ledgerLines.holdId,
      account: ledgerLines.account,
      cents: sql<string>`sum(${ledgerLines.cents})`,
    })
    .from(ledgerLines)
    .where(inArray(ledgerLines.holdId, [...holdIds]))
    .groupBy(ledgerLines.holdId, ledgerLines.account);
  for (const { holdId, account, cents } of rows)
    found.set(holdId, { ...found.get(holdId), [account]: Number(cents) });
  return found;
}

/** Holds that may differ from the provider's: changed since, or not at rest. */
export async function holdsToCompare(db: Db, provider: ProviderKind, since: Date): Promise<HoldRow[]> {
  const own = and(
    eq(cardHolds.provider, provider),
    isNotNull(cardHolds.paymentId),
    or(gte(cardHolds.updatedAt, since), ne(cardHolds.heldCents, 0)),
  );
  return db.select().from(cardHolds).where(own).orderBy(asc(cardHolds.createdAt));
}

export async function saveReconciliation(
  db: Db,
  row: { at: Date; checked: number; differences: StoredDifference[] },
): Promise<void> {
  await db.insert(reconciliations).values(row);
}

export async function latestReconciliation(db: Db) {
  const rows = await db.select().from(reconciliations).orderBy(desc(reconciliations.id)).limit(1);
  return rows[0] ?? null;
}

export async function knownEvents(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(inArray(providerEvents.id, [...ids]));
  return new Set(rows.map(({ id }) => id));
}

export async function noteEvent(db: Db, row: typeof providerEvents.$inferInsert): Promise<void> {
  await db.insert(providerEvents).values(row).onConflictDoNothing();
}

/** Holds that a person's new card can be tried on, because they had none. */
export async function holdsWithoutCard(tx: Db, userId: string): Promise<HoldRow[]> {
  const waiting = and(
    eq(cardHolds.passengerId, userId),
    eq(cardHolds.isCurrent, true),
    ne(cardHolds.goal, 'release'),
    eq(cardHolds.state, 'requires_payment_method'),
    sql`${cardHolds.cardId} is null`,
  );
  return tx.select().from(cardHolds).where(waiting).for('update');
}

/** Holds that were refused because their driver could not be paid. */
export async function holdsWithoutAccount(tx: Db, driverId: string): Promise<HoldRow[]> {
  const refused = and(
    eq(cardHolds.driverId, driverId),
    eq(cardHolds.isCurrent, true),
    ne(cardHolds.goal, 'release'),
    eq(cardHolds.state, 'requires_payment_method'),
    inArray(cardHolds.declineCode, [...accountTroubles]),
  );
  return tx.select().from(cardHolds).where(refused).for('update');
}

/** Payments of a person that are not over: their last card must stay. */
export async function countOpenPayments(db: Db, userId: string): Promise<number> {
  const open = and(
    eq(cardHolds.passengerId, userId),
    eq(cardHolds.isCurrent, true),
    ne(cardHolds.goal, 'release'),
    inArray(cardHolds.state, [
      'processing',
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
    ]),
  );
  return db.$count(cardHolds, open);
}

/** Whether something a person owes could not be taken. */
export async function owesSomething(db: Db, userId: string): Promise<boolean> {
  const owed = and(
    eq(cardHolds.passengerId, userId),
    eq(cardHolds.isCurrent, true),
    eq(cardHolds.goal, 'take'),
    eq(cardHolds.state, 'requires_payment_method'),
    // That a driver cannot be paid is no debt of the passenger's.
    or(isNull(cardHolds.declineCode), notInArray(cardHolds.declineCode, [...accountTroubles])),
  );
  return (await db.$count(cardHolds, owed)) > 0;
}

interface Page {
  offset: number;
  size: number;
}

/** A passenger's payments, the latest first. */
export async function paymentsOf(
  db: Db,
  passengerId: string,
  { offset, size, bookingId }: Page & { bookingId?: string | undefined },
): Promise<{ rows: HoldRow[]; total: number }> {
  const own = and(
    eq(cardHolds.passengerId, passengerId),
    eq(cardHolds.isCurrent, true),
    bookingId === undefined ? undefined : eq(cardHolds.bookingId, bookingId),
  );
  const rows = await db
    .select()
    .from(cardHolds)
    .where(own)
    .orderBy(desc(cardHolds.createdAt), desc(cardHolds.id))
    .offset(offset)
    .limit(size);
  return { rows, total: await db.$count(cardHolds, own) };
}

const earned = (driverId: string) =>
  and(eq(cardHolds.driverId, driverId), eq(cardHolds.isCurrent, true), eq(cardHolds.goal, 'take'));

/** What a driver's bookings have brought or will bring, the latest first. */
export async function earningsOf(
  db: Db,
  driverId: string,
  { offset, size }: Page,
): Promise<{ rows: HoldRow[]; total: number }> {
  const rows = await db
    .select()
    .from(cardHolds)
    .where(earned(driverId))
    .orderBy(desc(cardHolds.settledAt), desc(cardHolds.id))
    .offset(offset)
    .limit(size);
  return { rows, total: await db.$count(cardHolds, earned(driverId)) };
}

/** Sums of a driver's earnings: taken, fees, given back; and owed and not yet taken. */
export async function earningSums(db: Db, driverId: string) {
  const sum = (what: ReturnType<typeof sql>) => sql<string>`coalesce(sum(${what}), 0)`;
  const isTaken = sql`${cardHolds.takenCents} > 0`;
  const [row] = await db
    .select({
      taken: sum(sql`${cardHolds.takenCents}`),
      fees: sum(sql`${cardHolds.feeCents}`),
      refunded: sum(sql`${cardHolds.refundedCents}`),
      feesBack: sum(
        sql`case when ${isTaken} then round(${cardHolds.feeCents}::numeric * ${cardHolds.refundedCents} / ${cardHolds.takenCents}) else 0 end`,
      ),
    })
    .from(cardHolds)
    .where(earned(driverId));
  const coming = await db
    .select({ cents: cardHolds.takeCents })
    .from(cardHolds)
    .where(and(earned(driverId), eq(cardHolds.takenCents, 0)));
  return {
    netCents: Number(row!.taken) - Number(row!.fees) - Number(row!.refunded) + Number(row!.feesBack),
    comingCents: coming.map(({ cents }) => cents),
  };
}

export async function insertDispute(tx: Db, row: typeof disputes.$inferInsert): Promise<DisputeRow> {
  return (await tx.insert(disputes).values(row).returning())[0]!;
}

export async function disputeById(db: Db, id: string): Promise<DisputeRow | null> {
  return (await db.select().from(disputes).where(eq(disputes.id, id)))[0] ?? null;
}

export async function disputesOf(db: Db, bookingIds: readonly string[]): Promise<DisputeRow[]> {
  if (bookingIds.length === 0) return [];
  return db
    .select()
    .from(disputes)
    .where(inArray(disputes.bookingId, [...bookingIds]));
}

/** Moves a dispute on if it stands in one of `from`; null when it has moved on. */
export async function moveDispute(
  tx: Db,
  id: string,
  from: readonly DisputeRow['state'][],
  set: Partial<DisputeRow>,
): Promise<DisputeRow | null> {
  const standing = and(eq(disputes.id, id), inArray(disputes.state, [...from]));
  return (await tx.update(disputes).set(set).where(standing).returning())[0] ?? null;
}

/** Payments for a part of the way whose passenger objects, once there is no more time to decide. */
export async function undecidedPartWays(db: Db, now: Date): Promise<{ id: string; bookingId: string }[]> {
  const undecided = and(
    eq(cardHolds.kind, 'partWay'),
    eq(cardHolds.isCurrent, true),
    eq(cardHolds.goal, 'take'),
    lte(cardHolds.takeAt, now),
    inArray(disputes.state, ['open', 'answered']),
    // What was taken before anybody objected is a dispute like any other.
    or(eq(cardHolds.takenCents, 0), gte(cardHolds.takenAt, disputes.openedAt)),
  );
  return db
    .select({ id: cardHolds.id, bookingId: cardHolds.bookingId })
    .from(disputes)
    .innerJoin(cardHolds, eq(cardHolds.bookingId, disputes.bookingId))
    .where(undecided)
    .limit(mostAtOnce);
}

/** What was ridden of rides that ended on the way, by booking. */
export async function riddenOf(
  db: Db,
  bookingIds: readonly string[],
): Promise<Map<string, { riddenMetres: number; wayMetres: number }>> {
  if (bookingIds.length === 0) return new Map();
  const { bookingId, riddenMetres, wayMetres } = brokenBookings;
  const rows = await db
    .select({ bookingId, riddenMetres, wayMetres })
    .from(brokenBookings)
    .where(inArray(bookingId, [...bookingIds]));
  return new Map(rows.map(({ bookingId: id, ...ridden }) => [id, ridden]));
}

export async function listDisputes(
  db: Db,
  { state, offset, size }: Page & { state: DisputeRow['state'] | 'all' },
): Promise<{ rows: { dispute: DisputeRow; hold: HoldRow }[]; total: number }> {
  const where = state === 'all' ? undefined : eq(disputes.state, state);
  const rows = await db
    .select({ dispute: disputes, hold: cardHolds })
    .from(disputes)
    .innerJoin(cardHolds, eq(cardHolds.id, disputes.holdId))
    .where(where)
    .orderBy(sql`${disputes.state} = 'resolved'`, asc(disputes.openedAt))
    .offset(offset)
    .limit(size);
  const [{ total } = { total: 0 }] = await db.select({ total: count() }).from(disputes).where(where);
  return { rows, total };
}

/** Holds that were to be asked for on a card that goes are asked for on another one. */
export async function giveUpCard(
  tx: Db,
  userId: string,
  cardId: string,
  otherId: string | null,
): Promise<void> {
  await tx
    .update(cardHolds)
    .set({ cardId: otherId, version: sql`${cardHolds.version} + 1` })
    .where(
      and(eq(cardHolds.passengerId, userId), eq(cardHolds.cardId, cardId), eq(cardHolds.isAsked, false)),
    );
}

export async function accountById(db: Db, accountId: string): Promise<AccountRow | null> {
  const rows = await db.select().from(paymentAccounts).where(eq(paymentAccounts.accountId, accountId));
  return rows[0] ?? null;
}

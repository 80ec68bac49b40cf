import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
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
import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
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
} from '../../schema/payments.ts';
import { news, notices } from '../../schema/notifications.ts';
import { bookings, brokenBookings } from '../../schema/rides.ts';
import type { LedgerLine } from './rules/ledger.ts';
import { accountTroubles } from './rules/next-step.ts';

export type { StoredDifference } from '../../schema/payments.ts';
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

/** How often a person's cards have been read from the provider and kept. */
export async function cardReadsOf(db: Db, userId: string, provider: ProviderKind): Promise<number> {
  const own = and(eq(payers.userId, userId), eq(payers.provider, provider));
  const [row] = await db.select({ cardReads: payers.cardReads }).from(payers).where(own);
  return row?.cardReads ?? 0;
}

/**
 * Replaces what is known of a person's cards. False, and nothing is replaced, where another read has been kept since
 * `cardReads` was told: which of the two is the newer one, only a third can say.
 */
export async function saveCards(
  tx: Db,
  { userId, provider, cardReads }: { userId: string; provider: ProviderKind; cardReads: number },
  rows: readonly (typeof cards.$inferInsert)[],
): Promise<boolean> {
  const own = and(eq(payers.userId, userId), eq(payers.provider, provider));
  const kept = await tx
    .update(payers)
    .set({ cardReads: cardReads + 1 })
    .where(and(own, eq(payers.cardReads, cardReads)))
    .returning({ userId: payers.userId });
  if (kept.length === 0) return false;
  await tx.delete(cards).where(and(eq(cards.userId, userId), eq(cards.provider, provider)));
  if (rows.length > 0)
    await tx
      .insert(cards)
      .values([...rows])
      .onConflictDoNothing();
  return true;
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

/**
 * Accounts to be read again, those first that were not read for longest: whose papers were being looked at, or whose driver has
 * holds that were refused, after `soon`; all others after `later`.
 */
export async function accountsToRead(
  db: Db,
  provider: ProviderKind,
  before: { soon: Date; later: Date },
): Promise<AccountRow[]> {
  const { state, checkedAt, userId } = paymentAccounts;
  const isPressing = or(
    inArray(state, ['started', 'restricted']),
    sql`exists (select from card_holds h where h.driver_id = ${userId} and h.is_current and h.goal <> 'release'
      and h.state = 'requires_payment_method' and h.decline_code = any(${sql.param([...accountTroubles])}::text[]))`,
  );
  const due = or(lte(checkedAt, before.later), and(lte(checkedAt, before.soon), isPressing));
  return db
    .select()
    .from(paymentAccounts)
    .where(and(eq(paymentAccounts.provider, provider), due))
    .orderBy(asc(checkedAt))
    .limit(mostAtOnce);
}

/** Whether holds of a driver wait, refused before `since`, for an account that can be paid. */
export async function hasRefusedHolds(db: Db, driverId: string, since: Date): Promise<boolean> {
  const refused = and(
    eq(cardHolds.driverId, driverId),
    eq(cardHolds.isCurrent, true),
    ne(cardHolds.goal, 'release'),
    eq(cardHolds.state, 'requires_payment_method'),
    inArray(cardHolds.declineCode, [...accountTroubles]),
    lte(cardHolds.updatedAt, since),
  );
  return (await db.$count(cardHolds, refused)) > 0;
}

/** When and how a passenger was told outside of the app what their payment needs. */
export interface Reminder {
  at: Date;
  by: NotificationChannel;
}

/** The last reminder of what each of these holds needs, by hold; one that was never handed over is none. */
export async function remindersOf(
  db: Db,
  holds: readonly { id: string; passengerId: string; need: string }[],
): Promise<Map<string, Reminder>> {
  if (holds.length === 0) return new Map();
  const rows = await db
    .select({
      holdId: sql<string>`${news.facts} ->> 'holdId'`,
      need: sql<string>`${news.facts} ->> 'need'`,
      at: notices.leftAt,
      by: notices.channel,
    })
    .from(news)
    .innerJoin(notices, and(eq(notices.newsId, news.id), isNotNull(notices.leftAt)))
    .where(
      and(
        inArray(news.userId, [...new Set(holds.map(({ passengerId }) => passengerId))]),
        eq(news.word, 'paymentNeeded'),
        inArray(
          sql`${news.facts} ->> 'holdId'`,
          holds.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(notices.leftAt));
  const needs = new Map(holds.map(({ id, need }) => [id, need]));
  return new Map(
    rows
      .filter(({ holdId, need }) => needs.get(holdId) === need)
      .map(({ holdId, at, by }) => [holdId, { at: at!, by }]),
  );
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

/**
 * The provider has refused: it repeats a refusal for a day under the same idempotency key, whatever has become possible since, so
 * that the next ask needs another.
 */
export async function spendKey(db: Db, id: string): Promise<void> {
  await db
    .update(cardHolds)
    .set({ keysUsed: sql`${cardHolds.keysUsed} + 1` })
    .where(eq(cardHolds.id, id));
}

/**
 * Takes holds that are due to work on them until the lease ends, those first whose passenger is there; or one of them. What
 * another process works on is left alone, unless something else has been wanted of it since.
 */
export async function claimHolds(
  db: Db,
  provider: ProviderKind,
  { now, leaseEndsAt, most, bookingId }: { now: Date; leaseEndsAt: Date; most: number; bookingId?: string },
): Promise<HoldRow[]> {
  const at = now.toISOString();
  const only = bookingId === undefined ? sql`` : sql`and booking_id = ${bookingId} and is_current`;
  const due = sql`select id from card_holds
    where next_at <= ${at} and provider = ${provider} ${only}
      and (lease_ends_at is null or lease_ends_at <= ${at} or leased_version is distinct from version)
    order by is_present desc, next_at limit ${most} for update skip locked`;
  const rows = await db
    .update(cardHolds)
    .set({
      leaseEndsAt,
      leasedVersion: sql`${cardHolds.version}`,
      attempts: sql`${cardHolds.attempts} + 1`,
    })
    .where(sql`${cardHolds.id} in (${due})`)
    .returning();
  const dueMs = ({ nextAt }: HoldRow) => nextAt?.getTime() ?? 0;
  return rows.toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent) || dueMs(a) - dueMs(b));
}

/** Whether a worker has the hold of a booking in hand as it is wanted now. */
export async function isInHand(db: Db, bookingId: string, now: Date): Promise<boolean> {
  const inHand = and(
    eq(cardHolds.bookingId, bookingId),
    cardHolds.isCurrent,
    gt(cardHolds.leaseEndsAt, now),
    eq(cardHolds.leasedVersion, cardHolds.version),
  );
  return (await db.$count(cardHolds, inHand)) > 0;
}

/** Puts a hold down again; it stays due where something else was wanted of it or has become known since. */
export async function restHold(
  db: Db,
  claimed: Pick<HoldRow, 'id' | 'version'>,
  { factsVersion, nextAt, attempts }: Pick<HoldRow, 'factsVersion' | 'nextAt' | 'attempts'>,
): Promise<void> {
  const { id, version } = claimed;
  const isAsSeen = sql`${cardHolds.version} = ${version} and ${cardHolds.factsVersion} = ${factsVersion}`;
  await db
    .update(cardHolds)
    .set({
      leaseEndsAt: null,
      leasedVersion: null,
      attempts,
      nextAt: sql`case when ${isAsSeen} then ${nextAt?.toISOString() ?? null}::timestamptz else ${cardHolds.nextAt} end`,
    })
    .where(and(eq(cardHolds.id, id), eq(cardHolds.leasedVersion, version)));
}

/** Has a hold worked on at once. */
export async function wakeHold(tx: Db, id: string, now: Date): Promise<void> {
  const sleeps = or(isNull(cardHolds.nextAt), gt(cardHolds.nextAt, now));
  await tx
    .update(cardHolds)
    .set({ nextAt: now })
    .where(and(eq(cardHolds.id, id), sleeps));
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
    // One parameter, however many they are.
    .where(sql`${ledgerLines.holdId} = any(${sql.param([...holdIds])}::uuid[])`)
    .groupBy(ledgerLines.holdId, ledgerLines.account);
  for (const { holdId, account, cents } of rows)
    if (holdId !== null) found.set(holdId, { ...found.get(holdId), [account]: Number(cents) });
  return found;
}

/** Whose payments are compared: those changed since `since`; or null: those that moved since they were compared, and holds that stand. */
export interface ToCompare {
  since: Date | null;
  /** What still stands on a card is compared again after this. */
  comparedBefore: Date;
  /** The page begins behind this hold. */
  afterId: string | null;
}

const pageOfHolds = 500;

/**
 * Holds of test money that are not at their end: those of which something is wanted.
 * @param withResting also those that wait for their passenger or their ride.
 */
export async function testMoneyLeft(
  db: Db,
  { withResting, most }: { withResting: boolean; most: number },
): Promise<string[]> {
  const isWanted = isNotNull(cardHolds.nextAt);
  const isOpen = and(eq(cardHolds.isCurrent, true), notInArray(cardHolds.state, ['succeeded', 'canceled']));
  const rows = await db
    .select({ id: cardHolds.id })
    .from(cardHolds)
    .where(and(eq(cardHolds.provider, 'sandbox'), withResting ? or(isWanted, isOpen) : isWanted))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** A page of holds that may differ from the provider's, in the order of their ids. */
export async function holdsToCompare(
  db: Db,
  provider: ProviderKind,
  { since, comparedBefore, afterId }: ToCompare,
): Promise<HoldRow[]> {
  const moved = sql`${cardHolds.comparedVersion} is distinct from ${cardHolds.factsVersion}`;
  const stands = and(ne(cardHolds.heldCents, 0), lte(cardHolds.comparedAt, comparedBefore));
  const own = and(
    eq(cardHolds.provider, provider),
    isNotNull(cardHolds.paymentId),
    since === null ? or(moved, stands) : or(gte(cardHolds.updatedAt, since), ne(cardHolds.heldCents, 0)),
    afterId === null ? undefined : gt(cardHolds.id, afterId),
  );
  return db.select().from(cardHolds).where(own).orderBy(asc(cardHolds.id)).limit(pageOfHolds);
}

/** Notes that holds were compared as they were then. */
export async function noteCompared(
  db: Db,
  rows: readonly Pick<HoldRow, 'id' | 'factsVersion'>[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update card_holds set compared_version = seen.version, compared_at = ${at.toISOString()}
    from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(rows.map((row) => row.factsVersion))}::int[]) as seen(id, version)
    where card_holds.id = seen.id`);
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

export type EventRow = typeof providerEvents.$inferSelect;

/** Writes down events that are new; those that were are dealt with from `nextAt` on. */
export async function insertEvents(
  db: Db,
  rows: readonly (typeof providerEvents.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(providerEvents)
    .values([...rows])
    .onConflictDoNothing();
}

/** Takes events that are due, the oldest first, until the lease ends; or one of them. */
export async function claimEvents(
  db: Db,
  { now, leaseEndsAt, most, id }: { now: Date; leaseEndsAt: Date; most: number; id?: string },
): Promise<EventRow[]> {
  const only = id === undefined ? sql`` : sql`and id = ${id}`;
  const due = sql`select id from provider_events where next_at <= ${now.toISOString()} ${only}
    order by at, id limit ${most} for update skip locked`;
  return db
    .update(providerEvents)
    .set({ nextAt: leaseEndsAt, attempts: sql`${providerEvents.attempts} + 1` })
    .where(sql`${providerEvents.id} in (${due})`)
    .returning();
}

/** Says that events are dealt with (`nextAt` null), or when they are tried again and why. */
export async function restEvents(
  db: Db,
  ids: readonly string[],
  set: { nextAt: Date | null; error: string },
): Promise<void> {
  await db
    .update(providerEvents)
    .set(set)
    .where(sql`${providerEvents.id} = any(${sql.param([...ids])}::text[])`);
}

/** Forgets events that were dealt with: the provider lists them for thirty days. */
export async function forgetEvents(db: Db, before: Date): Promise<void> {
  await db
    .delete(providerEvents)
    .where(and(isNull(providerEvents.nextAt), lte(providerEvents.receivedAt, before)));
}

/** Holds of a ride’s bookings that are planned for another time than the one it leaves at. */
export async function holdsOffTime(tx: Db, bookingIds: readonly string[], rideAt: Date): Promise<HoldRow[]> {
  if (bookingIds.length === 0) return [];
  const off = and(
    inArray(cardHolds.bookingId, [...bookingIds]),
    eq(cardHolds.isCurrent, true),
    eq(cardHolds.goal, 'hold'),
    ne(cardHolds.rideAt, rideAt),
  );
  return tx.select().from(cardHolds).where(off).orderBy(asc(cardHolds.bookingId)).for('update');
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
    // A bank's question that is not waited for any more is a debt like any other.
    or(
      eq(cardHolds.state, 'requires_payment_method'),
      and(eq(cardHolds.state, 'requires_action'), isNull(cardHolds.nextAt)),
    ),
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
      refunded: sum(sql`${cardHolds.refundedCents} + ${cardHolds.chargedBackCents}`),
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

/** Payments for a part of the way, or of which two people say different things, once there is no more time to decide. */
export async function undecidedPartWays(db: Db, now: Date): Promise<{ id: string; bookingId: string }[]> {
  const undecided = and(
    inArray(cardHolds.kind, ['partWay', 'contested']),
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

/** Whether a no-show rests on the driver's words alone. */
export async function isWeakNoShow(db: Db, bookingId: string): Promise<boolean> {
  const [row] = await db
    .select({ reachedBy: bookings.reachedBy })
    .from(bookings)
    .where(eq(bookings.id, bookingId));
  return row?.reachedBy === 'words';
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

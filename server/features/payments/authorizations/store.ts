import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { pageOfRows } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { authorizations } from '../../../schema/payments.ts';
import { accountTroubles } from '../rules/next-step.ts';

export type AuthorizationRow = typeof authorizations.$inferSelect;
export type NewAuthorization = typeof authorizations.$inferInsert;
export type ProviderKind = AuthorizationRow['provider'];

export async function insertAuthorization(tx: Db, row: NewAuthorization): Promise<AuthorizationRow> {
  return (await tx.insert(authorizations).values(row).returning())[0]!;
}

/** The payment of a booking: its current authorization, locked where the caller decides about it. */
export async function currentAuthorization(
  tx: Db,
  bookingId: string,
  locked = false,
): Promise<AuthorizationRow | null> {
  const current = and(eq(authorizations.bookingId, bookingId), sql`${authorizations.isCurrent}`);
  const found = tx.select().from(authorizations).where(current);
  return (await (locked ? found.for('update') : found))[0] ?? null;
}

export async function currentAuthorizations(
  db: Db,
  bookingIds: readonly string[],
): Promise<AuthorizationRow[]> {
  if (bookingIds.length === 0) return [];
  const current = and(inArray(authorizations.bookingId, [...bookingIds]), sql`${authorizations.isCurrent}`);
  return db.select().from(authorizations).where(current);
}

export async function authorizationById(db: Db, id: string): Promise<AuthorizationRow | null> {
  return (await db.select().from(authorizations).where(eq(authorizations.id, id)))[0] ?? null;
}

export async function lockAuthorization(tx: Db, id: string): Promise<AuthorizationRow | null> {
  return (await tx.select().from(authorizations).where(eq(authorizations.id, id)).for('update'))[0] ?? null;
}

export async function authorizationByPayment(db: Db, paymentId: string): Promise<AuthorizationRow | null> {
  return (await db.select().from(authorizations).where(eq(authorizations.paymentId, paymentId)))[0] ?? null;
}

/** Writes what is wanted of an authorization (its goal); a worker that has it leased reads it again. */
export async function updateGoal(
  tx: Db,
  id: string,
  set: Partial<AuthorizationRow>,
  now: Date,
): Promise<void> {
  await tx
    .update(authorizations)
    .set({ ...set, version: sql`${authorizations.version} + 1`, updatedAt: now })
    .where(eq(authorizations.id, id));
}

/** Writes when the ride leaves. Nothing else is wanted than before: a worker keeps its lease. */
export async function writeRideAt(tx: Db, id: string, rideAt: Date, now: Date): Promise<void> {
  await tx.update(authorizations).set({ rideAt, updatedAt: now }).where(eq(authorizations.id, id));
}

/** Writes what the provider says of an authorization (its facts). */
export async function updateFacts(
  tx: Db,
  id: string,
  set: Partial<AuthorizationRow>,
  now: Date,
): Promise<AuthorizationRow> {
  const rows = await tx
    .update(authorizations)
    .set({ ...set, factsVersion: sql`${authorizations.factsVersion} + 1`, updatedAt: now })
    .where(eq(authorizations.id, id))
    .returning();
  return rows[0]!;
}

/**
 * Makes the next request use a new idempotency key: the provider repeats a refusal for a day under the same
 * one, whatever has become possible since.
 */
export async function renewIdempotencyKey(db: Db, id: string): Promise<void> {
  await db
    .update(authorizations)
    .set({ keysUsed: sql`${authorizations.keysUsed} + 1` })
    .where(eq(authorizations.id, id));
}

// Each of the two kinds has an index of its own.
export const isAnyAuthorizationDue = (now: Date): SQL =>
  sql`exists (select from authorizations where is_present and next_at <= ${now.toISOString()})
    or exists (select from authorizations where not is_present and next_at <= ${now.toISOString()})`;

/**
 * Leases authorizations that are due, those first whose passenger is present; with `bookingId` only that
 * booking's. One that another process has leased is left alone, unless its goal has changed since.
 */
export async function leaseDueAuthorizations(
  db: Db,
  provider: ProviderKind,
  { now, leaseEndsAt, most, bookingId }: { now: Date; leaseEndsAt: Date; most: number; bookingId?: string },
): Promise<AuthorizationRow[]> {
  const at = now.toISOString();
  const only = bookingId === undefined ? sql`` : sql`and booking_id = ${bookingId} and is_current`;
  const free = sql`next_at <= ${at} and provider = ${provider} ${only}
      and (lease_ends_at is null or lease_ends_at <= ${at} or leased_version is distinct from version)`;
  // Two reads of an index in its order: sorted together, all that is due would be read for a page of it.
  const firstOf = (which: SQL) => sql`select id from authorizations where ${which} and ${free}
    order by next_at limit ${most} for update skip locked`;
  const due = sql`with present as (${firstOf(sql`is_present`)}), absent as (${firstOf(sql`not is_present`)})
    select id from present union all select id from absent limit ${most}`;
  const rows = await db
    .update(authorizations)
    .set({
      leaseEndsAt,
      leasedVersion: sql`${authorizations.version}`,
      attempts: sql`${authorizations.attempts} + 1`,
    })
    .where(sql`${authorizations.id} in (${due})`)
    .returning();
  const dueMs = ({ nextAt }: AuthorizationRow) => nextAt?.getTime() ?? 0;
  return rows.toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent) || dueMs(a) - dueMs(b));
}

/** Whether a worker has the authorization of a booking leased with its present goal. */
export async function isLeased(db: Db, bookingId: string, now: Date): Promise<boolean> {
  const leased = and(
    eq(authorizations.bookingId, bookingId),
    authorizations.isCurrent,
    gt(authorizations.leaseEndsAt, now),
    eq(authorizations.leasedVersion, authorizations.version),
  );
  return (await db.$count(authorizations, leased)) > 0;
}

/** Ends a lease; the authorization stays due where its goal or its facts have changed since. */
export async function endLease(
  db: Db,
  leased: Pick<AuthorizationRow, 'id' | 'version'>,
  { factsVersion, nextAt, attempts }: Pick<AuthorizationRow, 'factsVersion' | 'nextAt' | 'attempts'>,
): Promise<void> {
  const { id, version } = leased;
  const isAsSeen = sql`${authorizations.version} = ${version} and ${authorizations.factsVersion} = ${factsVersion}`;
  await db
    .update(authorizations)
    .set({
      leaseEndsAt: null,
      leasedVersion: null,
      attempts,
      nextAt: sql`case when ${isAsSeen} then ${nextAt?.toISOString() ?? null}::timestamptz else ${authorizations.nextAt} end`,
    })
    .where(and(eq(authorizations.id, id), eq(authorizations.leasedVersion, version)));
}

/** Makes an authorization due at once. */
export async function makeDue(tx: Db, id: string, now: Date): Promise<void> {
  const sleeps = or(isNull(authorizations.nextAt), gt(authorizations.nextAt, now));
  await tx
    .update(authorizations)
    .set({ nextAt: now })
    .where(and(eq(authorizations.id, id), sleeps));
}

/** Authorizations of a ride’s bookings that are planned for another time than the one it leaves at. */
export async function authorizationsOffTime(
  tx: Db,
  bookingIds: readonly string[],
  rideAt: Date,
): Promise<AuthorizationRow[]> {
  if (bookingIds.length === 0) return [];
  const off = and(
    inArray(authorizations.bookingId, [...bookingIds]),
    sql`${authorizations.isCurrent}`,
    eq(authorizations.goal, 'authorize'),
    ne(authorizations.rideAt, rideAt),
  );
  return tx.select().from(authorizations).where(off).orderBy(asc(authorizations.bookingId)).for('update');
}

/** A current authorization that is wanted, and that no card has been good for. */
const needsCard = and(
  sql`${authorizations.isCurrent}`,
  ne(authorizations.goal, 'cancel'),
  eq(authorizations.state, 'requires_payment_method'),
);

/** The same, because the card provider cannot pay its driver. */
const isRefusedFor = (driverId: string) =>
  and(
    eq(authorizations.driverId, driverId),
    needsCard,
    inArray(authorizations.declineCode, [...accountTroubles]),
  );

/** Authorizations that a person's new card can be tried on, because they had none. */
export async function authorizationsWithoutCard(tx: Db, userId: string): Promise<AuthorizationRow[]> {
  const waiting = and(
    eq(authorizations.passengerId, userId),
    needsCard,
    sql`${authorizations.cardId} is null`,
  );
  return tx.select().from(authorizations).where(waiting).for('update');
}

/** Authorizations that were refused because their driver could not be paid. */
export async function authorizationsWithoutAccount(tx: Db, driverId: string): Promise<AuthorizationRow[]> {
  const refused = isRefusedFor(driverId);
  return tx.select().from(authorizations).where(refused).for('update');
}

/** Whether authorizations of a driver, refused before `since`, wait for an account that can be paid. */
export async function hasRefusedAuthorizations(db: Db, driverId: string, since: Date): Promise<boolean> {
  const refused = and(isRefusedFor(driverId), lte(authorizations.updatedAt, since));
  return (await db.$count(authorizations, refused)) > 0;
}

/** True for an authorization that is not over; as the index `authorizations_open` has it. */
const isOpen = sql`(state not in ('succeeded', 'canceled') or next_at is not null)`;

/** Authorizations that are not over, the soonest due first; those that rest until a person acts come last. */
export async function openAuthorizations(
  db: Db,
  page: { offset: number; size: number },
): Promise<{ rows: AuthorizationRow[]; total: number }> {
  return pageOfRows(
    db,
    authorizations,
    { where: isOpen, order: [asc(authorizations.nextAt), asc(authorizations.id)] },
    page,
  );
}

/** Payments of a person that are not over: their last card must stay. */
export async function countOpenPayments(db: Db, userId: string): Promise<number> {
  const open = and(
    eq(authorizations.passengerId, userId),
    sql`${authorizations.isCurrent}`,
    ne(authorizations.goal, 'cancel'),
    inArray(authorizations.state, [
      'processing',
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
    ]),
  );
  return db.$count(authorizations, open);
}

/** Authorizations that are planned on a card and not asked for yet, with the day of their ride. */
export function plannedOn(
  db: Db,
  userId: string,
  cardId: string,
): Promise<Pick<AuthorizationRow, 'id' | 'rideAt'>[]> {
  const planned = and(
    eq(authorizations.passengerId, userId),
    sql`${authorizations.isCurrent}`,
    ne(authorizations.goal, 'cancel'),
    eq(authorizations.cardId, cardId),
    eq(authorizations.isAsked, false),
  );
  return db
    .select({ id: authorizations.id, rideAt: authorizations.rideAt })
    .from(authorizations)
    .where(planned);
}

/** Plans an authorization on another card, where it is still planned on the one that is removed. */
export async function replacePlannedCard(
  tx: Db,
  { id, cardId }: Pick<AuthorizationRow, 'id' | 'cardId'>,
  otherId: string | null,
): Promise<void> {
  await tx
    .update(authorizations)
    .set({ cardId: otherId, version: sql`${authorizations.version} + 1` })
    .where(
      and(
        eq(authorizations.id, id),
        sql`${authorizations.cardId} = ${cardId}`,
        eq(authorizations.isAsked, false),
      ),
    );
}

/**
 * Authorizations of test money that have not ended: those that are due some time.
 * @param withResting also those that wait for their passenger or their ride.
 */
export async function unfinishedTestMoney(
  db: Db,
  { withResting, most }: { withResting: boolean; most: number },
): Promise<string[]> {
  const isWanted = isNotNull(authorizations.nextAt);
  const isOpen = and(
    sql`${authorizations.isCurrent}`,
    notInArray(authorizations.state, ['succeeded', 'canceled']),
  );
  const rows = await db
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(and(eq(authorizations.provider, 'sandbox'), withResting ? or(isWanted, isOpen) : isWanted))
    .limit(most);
  return rows.map(({ id }) => id);
}

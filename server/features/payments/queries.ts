import { and, asc, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { news, notices } from '../../schema/notifications.ts';
import { authorizations } from '../../schema/payments.ts';
import { brokenBookings } from '../../schema/rides.ts';
import type { AuthorizationRow } from './authorizations/store.ts';

interface Page {
  offset: number;
  size: number;
}

/** A passenger's payments, the latest first. */
export async function paymentsOf(
  db: Db,
  passengerId: string,
  { offset, size, bookingId }: Page & { bookingId?: string | undefined },
): Promise<{ rows: AuthorizationRow[]; total: number }> {
  const own = and(
    eq(authorizations.passengerId, passengerId),
    eq(authorizations.isCurrent, true),
    bookingId === undefined ? undefined : eq(authorizations.bookingId, bookingId),
  );
  const rows = await db
    .select()
    .from(authorizations)
    .where(own)
    .orderBy(desc(authorizations.createdAt), desc(authorizations.id))
    .offset(offset)
    .limit(size);
  return { rows, total: await db.$count(authorizations, own) };
}

const earned = (driverId: string) =>
  and(
    eq(authorizations.driverId, driverId),
    eq(authorizations.isCurrent, true),
    eq(authorizations.goal, 'take'),
  );

/** What a driver's bookings have brought or will bring, the latest first. */
export async function earningsOf(
  db: Db,
  driverId: string,
  { offset, size }: Page,
): Promise<{ rows: AuthorizationRow[]; total: number }> {
  const rows = await db
    .select()
    .from(authorizations)
    .where(earned(driverId))
    .orderBy(desc(authorizations.settledAt), desc(authorizations.id))
    .offset(offset)
    .limit(size);
  return { rows, total: await db.$count(authorizations, earned(driverId)) };
}

/** Sums of a driver's earnings: captured less fees and refunds; and each amount that is owed and not captured yet. */
export async function earningSums(db: Db, driverId: string) {
  const sum = (what: ReturnType<typeof sql>) => sql<string>`coalesce(sum(${what}), 0)`;
  const isCaptured = sql`${authorizations.takenCents} > 0`;
  const [row] = await db
    .select({
      captured: sum(sql`${authorizations.takenCents}`),
      fees: sum(sql`${authorizations.feeCents}`),
      refunded: sum(sql`${authorizations.refundedCents} + ${authorizations.chargedBackCents}`),
      feesBack: sum(
        sql`case when ${isCaptured} then round(${authorizations.feeCents}::numeric * ${authorizations.refundedCents} / ${authorizations.takenCents}) else 0 end`,
      ),
    })
    .from(authorizations)
    .where(earned(driverId));
  const coming = await db
    .select({ cents: authorizations.takeCents })
    .from(authorizations)
    .where(and(earned(driverId), eq(authorizations.takenCents, 0)));
  return {
    netCents: Number(row!.captured) - Number(row!.fees) - Number(row!.refunded) + Number(row!.feesBack),
    comingCents: coming.map(({ cents }) => cents),
  };
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

/** When and how a passenger was told outside of the app what their payment needs. */
export interface Reminder {
  at: Date;
  by: NotificationChannel;
}

/** The last reminder of what each of these authorizations needs, by its id; one that was never handed over does not count. */
export async function remindersOf(
  db: Db,
  needing: readonly { id: string; passengerId: string; need: string }[],
): Promise<Map<string, Reminder>> {
  if (needing.length === 0) return new Map();
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
        inArray(news.userId, [...new Set(needing.map(({ passengerId }) => passengerId))]),
        eq(news.word, 'paymentNeeded'),
        inArray(
          sql`${news.facts} ->> 'holdId'`,
          needing.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(notices.leftAt));
  const needs = new Map(needing.map(({ id, need }) => [id, need]));
  return new Map(
    rows
      .filter(({ holdId, need }) => needs.get(holdId) === need)
      .map(({ holdId, at, by }) => [holdId, { at: at!, by }]),
  );
}

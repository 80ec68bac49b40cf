import { and, count, desc, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { QueryResultRow } from 'pg';
import type { PaymentAlarmKind } from '#contract/payments/views.ts';
import { countUpTo } from '../../platform/database/count-up-to.ts';
import { namedStatement, runNamed, type Db } from '../../platform/database/db.ts';
import { figure, type FigureSlot } from '../../platform/database/figures.ts';
import { findsRow } from '../../platform/database/finds-row.ts';
import { authorizations, claims, paymentAlarms, providerEvents } from '../../schema/payments.ts';
import { isAnyAuthorizationDue, type AuthorizationRow } from './authorizations/store.ts';
import { isAnyChargebackDue } from './chargebacks/store.ts';
import { isAnyUndecided } from './claims/store.ts';
import { accountTroubles } from './rules/next-step.ts';

/**
 * True where any of some bookings has a payment. Their ids are an array, so that they are looked up by index:
 * as a subquery of the row at hand they were compared with every payment.
 * @param bookingIds a query of their ids
 */
export const isAnyPaid = (bookingIds: SQL): SQL =>
  findsRow(sql`from authorizations h where h.booking_id = any(array(${bookingIds})) and h.is_current`);

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
    sql`${authorizations.isCurrent}`,
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
    // As the index `authorizations_earned` has it.
    sql`${authorizations.isCurrent} and ${authorizations.goal} = 'capture'`,
  );

/** A page of what a driver's bookings have brought or will bring, the latest first. */
export const earningsOf = (db: Db, driverId: string, { offset, size }: Page): Promise<AuthorizationRow[]> =>
  db
    .select()
    .from(authorizations)
    .where(earned(driverId))
    .orderBy(desc(authorizations.settledAt), desc(authorizations.id))
    .offset(offset)
    .limit(size);

/**
 * A driver's earnings in all, read through once: how many there are; what was captured less fees and refunds;
 * and each amount that is owed and not captured yet.
 */
export async function earningSums(db: Db, driverId: string) {
  const sum = (what: ReturnType<typeof sql>) => sql<string>`coalesce(sum(${what}), 0)`;
  const isCaptured = sql`${authorizations.capturedCents} > 0`;
  const [row] = await db
    .select({
      total: count(),
      captured: sum(sql`${authorizations.capturedCents}`),
      fees: sum(sql`${authorizations.feeCents}`),
      refunded: sum(sql`${authorizations.refundedCents} + ${authorizations.chargedBackCents}`),
      feesBack: sum(
        sql`case when ${isCaptured} then round(${authorizations.feeCents}::numeric * ${authorizations.refundedCents} / ${authorizations.capturedCents}) else 0 end`,
      ),
      coming: sql<
        number[]
      >`coalesce(json_agg(${authorizations.captureCents}) filter (where ${authorizations.capturedCents} = 0), '[]')`,
    })
    .from(authorizations)
    .where(earned(driverId));
  const { total, captured, fees, refunded, feesBack, coming } = row!;
  return {
    total,
    netCents: Number(captured) - Number(fees) - Number(refunded) + Number(feesBack),
    comingCents: coming,
  };
}

/** How many authorizations were due before an instant and wait for their next step, up to `most`. */
export const dueSteps = (db: Db, before: Date, most: number): Promise<number> =>
  countUpTo(db, authorizations, {
    where: sql`next_at is not null and next_at <= ${before.toISOString()}`,
    most,
  });

/** How many webhooks of the card provider wait to be processed, up to `most`. */
export const unprocessedEvents = (db: Db, most: number): Promise<number> =>
  countUpTo(db, providerEvents, { where: sql`next_at is not null`, most });

/** How many claims no admin has decided, up to `most`. */
export const openClaims = (db: Db, most: number): Promise<number> =>
  countUpTo(db, claims, { where: sql`state in ('open', 'answered')`, most });

/** Payment matters that wait for an admin. */
export const alarmsByKind = (db: Db): Promise<{ kind: PaymentAlarmKind; count: number }[]> =>
  db
    .select({ kind: paymentAlarms.kind, count: sql<number>`count(*)::int` })
    .from(paymentAlarms)
    .where(isNull(paymentAlarms.endedAt))
    .groupBy(paymentAlarms.kind);

/** The amounts authorized on cards and captured in a slot, in cents. */
export const moneyFigures = (slot: FigureSlot): SQL[] => {
  const cents = { value: sql`coalesce(sum(cents), 0)`, at: sql`at` };
  return [
    figure(slot, {
      ...cents,
      name: 'authorizedCents',
      from: sql`ledger_lines where account = 'cards.held' and what = 'held'`,
    }),
    figure(slot, { ...cents, name: 'capturedCents', from: sql`ledger_lines where account = 'cards'` }),
  ];
};

/** The obstacles to a passenger's joining of paid rides. */
export interface Standing {
  /** Something they owe could not be captured. */
  owes: boolean;
  /** A bank took back a payment of theirs, or warned of one. */
  isBlocked: boolean;
}

const standsId = sql.placeholder('passengerId');

/**
 * True for a debt, of `authorizations h`: as `isDebt` says it of a row. A bank's question that is not waited
 * for any more is one like any other; that a driver cannot be paid is no debt of the passenger's.
 */
const isOwed = (troubles: SQLWrapper): SQL => sql`h.is_current and h.goal = 'capture' and h.captured_cents = 0
  and (h.state = 'requires_payment_method' or (h.state = 'requires_action' and h.next_at is null))
  and (h.decline_code is null or h.decline_code <> all(${troubles}::text[]))`;

const readingStanding = namedStatement(sql`
  select
    exists (select from authorizations h
      where h.passenger_id = ${standsId} and ${isOwed(sql.placeholder('accountTroubles'))}) as owes,
    exists (select from authorizations h where h.passenger_id = ${standsId} and (
      exists (select from chargebacks c where c.authorization_id = h.id and c.cleared_at is null
        and c.state not in ('won', 'warning_closed', 'prevented'))
      or exists (select from fraud_warnings w
        where w.authorization_id = h.id and w.cleared_at is null and w.is_actionable))) as "isBlocked"`);

/** A passenger's blocks and debts, read by one statement of the transaction that decides about a booking. */
export async function standingOf(tx: Db, id: string): Promise<Standing> {
  const config = readingStanding({ passengerId: id, accountTroubles: [...accountTroubles] });
  return (await runNamed<Standing & QueryResultRow>(tx, config))[0]!;
}

/** Money of a person that must be paid or returned before their account can go. */
interface Unsettled {
  owedCents: number;
  /** As a passenger or a driver. */
  openDisputes: number;
  /** To them as a passenger; what their bank has taken back already is not refunded. */
  openRefunds: number;
}

/** Reads what of a person's money is still open. */
export async function unsettledOf(db: Db, personId: string): Promise<Unsettled> {
  const isRefundDue = sql`h.captured_cents > 0 and not h.is_charged_back and h.refunded_cents < case
    when h.goal = 'capture' then least(h.captured_cents, h.refund_goal_cents + greatest(0, h.captured_cents - h.capture_cents))
    else h.captured_cents end`;
  const { rows } = await db.execute<Record<keyof Unsettled, string>>(sql`
    select coalesce(sum(h.capture_cents) filter (where ${isOwed(sql.param([...accountTroubles]))}), 0) as "owedCents",
      count(*) filter (where ${isRefundDue}) as "openRefunds",
      (select count(*) from claims d where (d.passenger_id = ${personId} or d.driver_id = ${personId})
        and d.state in ('open', 'answered')) as "openDisputes"
    from authorizations h where h.passenger_id = ${personId}`);
  const { owedCents, openDisputes, openRefunds } = rows[0]!;
  return {
    owedCents: Number(owedCents),
    openDisputes: Number(openDisputes),
    openRefunds: Number(openRefunds),
  };
}

/** True while anything about payments is due, with `isMore` where something else is. */
export const isAnyPaymentDue = (now: Date, isMore: boolean): SQL =>
  sql`${isMore}::boolean or ${isAnyAuthorizationDue(now)} or ${isAnyChargebackDue(now)} or ${isAnyUndecided(now)}`;

import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { rideQuestions } from '../../schema/trips.ts';
import { authorizations, chargebacks, claims, fraudWarnings, ledgerLines } from '../../schema/payments.ts';
import { strikes } from '../../schema/moderation.ts';
import {
  bookings,
  changeProposals,
  moveHistory,
  orderSpans,
  requests,
  rides,
  rideStops,
  waitlist,
} from '../../schema/rides.ts';
import type { Db } from '../../platform/database/db.ts';
import type { HistoryContext } from './history-context.ts';

export type Ride = typeof rides.$inferSelect;
export type Request = typeof requests.$inferSelect;
export type Booking = typeof bookings.$inferSelect;
export type Hold = typeof authorizations.$inferSelect;
export type Chargeback = typeof chargebacks.$inferSelect;

/** All rows of one history's people since it began. */
export interface World {
  now: Date;
  rides: Ride[];
  requests: Request[];
  bookings: Booking[];
  stops: (typeof rideStops.$inferSelect)[];
  holds: Hold[];
  waiting: (typeof waitlist.$inferSelect)[];
  changes: (typeof changeProposals.$inferSelect)[];
  /** Moves of bookings by which people say that they have met, or that they have not, in their order. */
  meetings: (typeof moveHistory.$inferSelect)[];
  disputes: (typeof claims.$inferSelect)[];
  spans: (typeof orderSpans.$inferSelect)[];
  /** Bookings of which both sides are, or were, asked whether they rode. */
  questions: (typeof rideQuestions.$inferSelect)[];
  chargebacks: Chargeback[];
  warnings: (typeof fraudWarnings.$inferSelect)[];
}

/** Reads the current world; rows from before the history began belong to earlier ones. */
export async function readWorld(context: HistoryContext): Promise<World> {
  const { app, clock, drivers, passengers, since } = context;
  const { db } = app.platform;
  const [driverIds, passengerIds] = [drivers.map(({ id }) => id), passengers.map(({ id }) => id)];
  const [ridesFound, requestsFound, bookingsFound, spans] = await Promise.all([
    db
      .select()
      .from(rides)
      .where(and(inArray(rides.driverId, driverIds), gt(rides.createdAt, since)))
      .orderBy(rides.createdAt),
    db
      .select()
      .from(requests)
      .where(and(inArray(requests.passengerId, passengerIds), gt(requests.createdAt, since)))
      .orderBy(requests.createdAt),
    db
      .select()
      .from(bookings)
      .where(and(inArray(bookings.driverId, driverIds), gt(bookings.createdAt, since)))
      .orderBy(bookings.createdAt),
    db
      .select()
      .from(orderSpans)
      .where(inArray(orderSpans.personId, [...driverIds, ...passengerIds])),
  ]);
  const rideIds = ridesFound.map(({ id }) => id);
  const bookingIds = bookingsFound.map(({ id }) => id);
  const about = await readAbout(db, { rideIds, bookingIds });
  const { holds } = about;
  const { questions, disputed } = await readUpsets(context, { rideIds, holds });
  return {
    now: clock.now(),
    rides: ridesFound,
    requests: requestsFound,
    bookings: bookingsFound,
    ...about,
    spans,
    questions,
    ...disputed,
  };
}

const meetingMoves = [
  'meet',
  'undoMeet',
  'board',
  'noShow',
  'reportDriver',
  'meetLate',
  'boardLate',
  'agreeRidden',
];

/** Reads the rows of some rides and their bookings. */
async function readAbout(
  db: Db,
  { rideIds, bookingIds }: { rideIds: string[]; bookingIds: string[] },
): Promise<Pick<World, 'stops' | 'holds' | 'waiting' | 'changes' | 'disputes' | 'meetings'>> {
  const [stops, holds, waiting, changes, disputes, meetings] = await Promise.all([
    db
      .select()
      .from(rideStops)
      .where(inArray(rideStops.rideId, rideIds))
      .orderBy(rideStops.rideId, rideStops.position),
    db
      .select()
      .from(authorizations)
      .where(inArray(authorizations.bookingId, bookingIds))
      .orderBy(authorizations.createdAt),
    db.select().from(waitlist).where(inArray(waitlist.rideId, rideIds)).orderBy(waitlist.id),
    db
      .select()
      .from(changeProposals)
      .where(inArray(changeProposals.rideId, rideIds))
      .orderBy(changeProposals.createdAt),
    db.select().from(claims).where(inArray(claims.bookingId, bookingIds)).orderBy(claims.openedAt),
    db
      .select()
      .from(moveHistory)
      .where(and(inArray(moveHistory.rideId, rideIds), inArray(moveHistory.move, meetingMoves)))
      .orderBy(moveHistory.id),
  ]);
  return { stops, holds, waiting, changes, disputes, meetings };
}

/** Reads the questions to both sides, and the acts of banks where they can act. */
async function readUpsets(
  { app }: HistoryContext,
  { rideIds, holds }: { rideIds: string[]; holds: readonly Hold[] },
): Promise<{ questions: World['questions']; disputed: Pick<World, 'chargebacks' | 'warnings'> }> {
  const { db } = app.platform;
  const paid = holds.flatMap(({ id, capturedCents }) => (capturedCents > 0 ? [id] : []));
  return {
    questions: await db
      .select()
      .from(rideQuestions)
      .where(inArray(rideQuestions.rideId, rideIds))
      .orderBy(rideQuestions.askedAt, rideQuestions.bookingId),
    disputed:
      paid.length === 0
        ? { chargebacks: [], warnings: [] }
        : {
            chargebacks: await db
              .select()
              .from(chargebacks)
              .where(inArray(chargebacks.authorizationId, paid))
              .orderBy(chargebacks.openedAt),
            warnings: await db
              .select()
              .from(fraudWarnings)
              .where(inArray(fraudWarnings.authorizationId, paid))
              .orderBy(fraudWarnings.at),
          },
  };
}

/**
 * Reads the scheduler's moves of some rides and their bookings, their departures and missed marks, and the
 * people who were struck.
 */
export async function readConclusions(
  { app }: HistoryContext,
  rideIds: readonly string[],
): Promise<{ moves: (typeof moveHistory.$inferSelect)[]; strikes: (typeof strikes.$inferSelect)[] }> {
  const { db } = app.platform;
  const told = or(eq(moveHistory.actor, 'system'), inArray(moveHistory.move, ['depart', 'noShow']));
  const [moves, struck] = await Promise.all([
    db
      .select()
      .from(moveHistory)
      .where(and(inArray(moveHistory.rideId, [...rideIds]), told))
      .orderBy(moveHistory.id),
    db
      .select()
      .from(strikes)
      .where(inArray(strikes.rideId, [...rideIds])),
  ]);
  return { moves, strikes: struck };
}

/** The last line of the ledger so far. */
export async function endOfLedger({ app }: HistoryContext): Promise<number> {
  const [row] = await app.platform.db
    .select({ id: sql<string>`coalesce(max(${ledgerLines.id}), 0)` })
    .from(ledgerLines);
  return Number(row!.id);
}

/** Reads the remainder of the ledger's entries after a line, which should be zero, and its accounts. */
export async function readLedger(
  { app }: HistoryContext,
  afterId: number,
): Promise<{ unbalanced: string[]; sum: number; authorizedCents: number; capturedCents: number }> {
  const { rows } = await app.platform.db.execute<{
    unbalanced: string[] | null;
    sum: string | null;
    held: string | null;
    taken: string | null;
  }>(sql`
    with entries as (
      select entry_id, sum(cents) as cents, sum(cents) filter (where account = 'cards.held') as held,
        sum(cents) filter (where account = 'cards') as taken
      from ledger_lines where id > ${afterId} group by entry_id
    )
    select array_agg(entry_id::text) filter (where cents <> 0) as unbalanced, sum(cents) as sum,
      sum(held) as held, sum(taken) as taken from entries`);
  const row = rows[0]!;
  return {
    unbalanced: row.unbalanced ?? [],
    sum: Number(row.sum ?? 0),
    authorizedCents: Number(row.held ?? 0),
    capturedCents: Number(row.taken ?? 0),
  };
}

/**
 * Whether nothing is on its way between the app and its card provider: all that has happened is known, and
 * nothing is due.
 */
export async function isAtRest({ app, clock }: HistoryContext): Promise<boolean> {
  const now = clock.now().toISOString();
  const { rows } = await app.platform.db.execute<{ rests: boolean }>(sql`
    select not exists (select from authorizations where next_at <= ${now} or is_asked)
      and not exists (select from chargebacks where next_at <= ${now})
      and not exists (select from provider_events where next_at is not null)
      and not exists (select from sandbox_objects where due_at <= ${now})
      and not exists (
        select from sandbox_objects event where kind = 'event'
          and seq > (select max(seq) - 200 from sandbox_objects)
          and not exists (select from provider_events where provider_events.id = event.id)
      ) as rests`);
  return rows[0]!.rests;
}

import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { keepReport } from '../../contacts/service.ts';
import { areActive, holdPerson } from '../../identity/queries.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { bookingsByIds, ridesByIds } from '../../orders/aggregate/queries.ts';
import { brokenRidesByIds } from '../../orders/service.ts';
import { suspendByRules } from '../admin/suspend-user.ts';
import {
  suspensionReason,
  countedSince,
  verdictOf,
  type StrikeFigures,
  isStrike,
  isWhim,
} from './rules/verdict.ts';
import * as store from './store.ts';

/**
 * Counts bookings that their drivers canceled late or did not come for, once per ride, and applies the
 * consequences: after two such rides the admins get a report, after three the account is suspended. What is
 * to be known of them is read for all at once.
 */
export async function countStrikes(app: App, lost: readonly LostBooking[]): Promise<void> {
  const figures = figuresOf(app);
  // Each with its consequence before the next: where one fails, those after it are not counted yet.
  for (const strike of await findStrikes(app.db, figures, lost)) await keep(app, strike, figures);
}

/** Stores a strike and applies the consequence, in one transaction: a crash loses neither. */
async function keep(app: App, strike: store.StrikeRow, figures: StrikeFigures): Promise<void> {
  const { transact, clock } = app;
  const { driverId } = strike;
  const since = countedSince(clock.now(), figures);
  const language = (await contactDetailsOf(app, [driverId])).get(driverId)?.language ?? 'en';
  await transact('add strike', async (tx, afterCommit) => {
    // Serializes the strikes of one driver.
    await holdPerson(tx, driverId);
    // The app itself cancels rides of a suspended driver.
    if (!(await areActive(tx, [driverId]))) return;
    if (!(await store.insertStrike(tx, strike))) return;
    const counted = await store.countedStrikes(tx, driverId, since);
    const said = counted.filter((each) => each.by !== 'system').length;
    const verdict = verdictOf({ all: counted.length, said }, figures);
    if (verdict === 'review')
      await keepReport(app, tx, {
        id: randomUUID(),
        reporterId: null,
        subjectId: driverId,
        reason: 'late cancellations',
        words: counted.map(({ orderNumber }) => orderNumber).join(', '),
        createdAt: clock.now(),
      });
    if (verdict === 'suspend')
      await suspendByRules(
        app,
        { tx, afterCommit },
        { id: driverId, reason: suspensionReason(language, said, figures) },
      );
  });
}

function figuresOf({ env }: App): StrikeFigures {
  return {
    withinHours: env.STRIKE_WITHIN_HOURS,
    months: env.STRIKE_MONTHS,
    forReview: env.STRIKES_FOR_REVIEW,
    forSuspension: env.STRIKES_FOR_SUSPENSION,
  };
}

/** A booking that its driver canceled or did not come for. */
interface LostBooking {
  bookingId: string;
  /** The reporter: a strike by the system goes to the admins and does not suspend. */
  by: 'driver' | 'passenger' | 'system';
}

/** The strikes among some bookings, one for each ride that has none yet, in the order given. */
async function findStrikes(
  db: Db,
  figures: StrikeFigures,
  lost: readonly LostBooking[],
): Promise<store.StrikeRow[]> {
  const bookingIds = [...new Set(lost.map(({ bookingId }) => bookingId))];
  const bookings = (await bookingsByIds(db, bookingIds)).filter(
    ({ fault, joinedAt, endedAt }) => fault === 'driver' && joinedAt !== null && endedAt !== null,
  );
  if (bookings.length === 0) return [];
  const rideIds = [...new Set(bookings.map(({ rideId }) => rideId))];
  const [rides, broken, struck] = await Promise.all([
    ridesByIds(db, rideIds),
    brokenRidesByIds(db, rideIds),
    store.ridesWithStrike(db, rideIds),
  ]);
  const found = new Map<string, store.StrikeRow>();
  for (const { bookingId, by } of lost) {
    const booking = bookings.find(({ id }) => id === bookingId);
    const ride = rides.find(({ id }) => id === booking?.rideId);
    if (booking === undefined || ride === undefined || struck.has(ride.id) || found.has(ride.id)) continue;
    const endedAt = booking.endedAt!;
    // A breakdown, or a driver who feels unsafe, is no strike; admins see each of these rides.
    const end = broken.find(({ rideId }) => rideId === ride.id);
    if (!isStrike(endedAt, ride.departsAt, figures) || (end !== undefined && !isWhim(end))) continue;
    found.set(ride.id, { rideId: ride.id, driverId: booking.driverId, at: endedAt, by });
  }
  return [...found.values()];
}

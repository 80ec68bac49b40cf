import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import { keepReport } from '../../contacts/service.ts';
import { areActive, holdPerson } from '../../identity/queries.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { suspendByRules } from '../admin/suspend-user.ts';
import { findStrikes, type LostBooking } from './find-strikes.ts';
import { suspensionReason } from './rules/strike-texts.ts';
import { countedSince, verdictOf, type StrikeFigures } from './rules/verdict.ts';
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

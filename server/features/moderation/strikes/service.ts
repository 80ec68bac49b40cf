import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import type { AdminService } from '../admin/service.ts';
import type { ContactsService } from '../../contacts/service.ts';
import { areActive, holdPerson } from '../../identity/queries.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { OrdersService } from '../../orders/service.ts';
import { countedSince, isStrike, isWhim, verdictOf, type StrikeFigures } from './rules/verdict.ts';
import { suspensionReason } from './rules/strike-texts.ts';
import * as store from './store.ts';

export type StrikesService = ReturnType<typeof createStrikes>;

/**
 * Strikes of drivers who cancel late or do not come: after two such rides the admins get a report, after
 * three the account is suspended.
 */
export function createStrikes(
  { db, transact, clock, env }: Platform,
  {
    orders,
    identity,
    contacts,
    admin,
  }: {
    orders: OrdersService;
    identity: IdentityService;
    contacts: ContactsService;
    admin: AdminService;
  },
) {
  const figures: StrikeFigures = {
    withinHours: env.STRIKE_WITHIN_HOURS,
    months: env.STRIKE_MONTHS,
    forReview: env.STRIKES_FOR_REVIEW,
    forSuspension: env.STRIKES_FOR_SUSPENSION,
  };

  return {
    /**
     * Counts a booking that its driver canceled or did not come for, once per ride, and applies the
     * consequence.
     * @param by who reported it: a strike by the system goes to the admins and does not suspend.
     */
    async count(bookingId: string, by: 'driver' | 'passenger' | 'system'): Promise<void> {
      const [booking] = await orders.bookingsByIds(db, [bookingId]);
      const ride = booking === undefined ? null : await orders.rideById(booking.rideId);
      if (booking === undefined || ride === null || booking.endedAt === null) return;
      const { driverId, endedAt } = booking;
      const isDriversFault = booking.fault === 'driver' && booking.joinedAt !== null;
      if (!isDriversFault || !isStrike(endedAt, ride.departsAt, figures)) return;
      // A breakdown, or a driver who feels unsafe, is no strike; admins see each of these rides.
      const [broken] = await orders.broken.ridesByIds([ride.id]);
      if (broken !== undefined && !isWhim(broken)) return;
      const since = countedSince(clock.now(), figures);
      const due = await transact(async (tx) => {
        // Serializes the strikes of one driver.
        await holdPerson(tx, driverId);
        // The app itself cancels rides of a suspended driver.
        if (!(await areActive(tx, [driverId]))) return null;
        if (!(await store.insertStrike(tx, { rideId: ride.id, driverId, at: endedAt, by }))) return null;
        const counted = await store.countedStrikes(tx, driverId, since);
        const said = counted.filter((each) => each.by !== 'system').length;
        const verdict = verdictOf({ all: counted.length, said }, figures);
        if (verdict === 'review')
          await contacts.keepReport(tx, {
            id: randomUUID(),
            reporterId: null,
            subjectId: driverId,
            reason: 'late cancellations',
            words: counted.map(({ orderNumber }) => orderNumber).join(', '),
            createdAt: clock.now(),
          });
        return verdict === 'suspend' ? said : null;
      });
      if (due === null) return;
      const language = (await identity.contactDetails([driverId])).get(driverId)?.language ?? 'en';
      await admin.suspendByRules(driverId, suspensionReason(language, due, figures));
    },
  };
}

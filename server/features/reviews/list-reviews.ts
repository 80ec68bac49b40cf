import type { z } from 'zod';
import type { Place } from '#contract/units.ts';
import type { OutputOf } from '#contract/define.ts';
import type { listReviews as listCall, pendingReviews } from '#contract/reviews/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { approximatePlace } from '../geo/service.ts';
import { peopleByIds } from '../identity/service.ts';
import { rodeIn } from '../orders/bookings/queries.ts';
import { fromOf, toOf } from '../orders/service.ts';
import { windowMs } from './write-review.ts';
import * as store from './store.ts';
import { viewReviews } from './view.ts';

const pageSize = 50;

/** Published reviews about a person, or of a ride that the viewer rode in. Refuses `review.ofWhat`. */
export async function listReviews(
  app: App,
  viewerId: string,
  { offset, ...of }: z.output<(typeof listCall)['input']>,
): Promise<OutputOf<typeof listCall>> {
  const { db } = app;
  if (of.userId === undefined && of.rideId === undefined)
    throw refuseField('review.ofWhat', 'userId', 'Please select a person or a ride.');
  if (of.rideId !== undefined && !(await rodeIn(db, of.rideId, viewerId))) return { reviews: [], total: 0 };
  const { rows, total } = await store.reviewsOf(db, of, viewerId, { offset, size: pageSize });
  return { reviews: await viewReviews(app, rows, viewerId), total };
}

/** Reviews the person may still write, the latest ride first. */
export async function listPending(app: App, personId: string): Promise<OutputOf<typeof pendingReviews>> {
  const now = app.clock.now();
  const rows = await store.unreviewed(app.db, personId, later(now, -windowMs), now);
  const subjectOf = ({ booking }: (typeof rows)[number]) =>
    booking.driverId === personId ? booking.passengerId : booking.driverId;
  const people = await peopleByIds(app, [...new Set(rows.map(subjectOf))]);
  return {
    pending: rows.flatMap((row) => {
      const subject = people.get(subjectOf(row));
      const { booking, ride } = row;
      // After two weeks, only the driver sees the exact places.
      const nameOf = (place: Place) =>
        booking.driverId === personId ? place.name : approximatePlace(app, place).name;
      if (subject === undefined) return [];
      return [
        {
          bookingId: booking.id,
          rideId: ride.id,
          subject,
          from: nameOf(fromOf(ride)),
          to: nameOf(toOf(ride)),
          departsAt: ride.departsAt.toISOString(),
          timeZone: ride.timeZone,
          until: later(booking.endedAt!, windowMs).toISOString(),
        },
      ];
    }),
  };
}

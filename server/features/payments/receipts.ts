import { feeOf } from '#contract/payments/fees.ts';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/payments/endpoints.ts';
import type { App } from '../../app-type.ts';
import { peopleByIds } from '../identity/service.ts';
import { claimsOf } from './claims/store.ts';
import * as queries from './queries.ts';
import { viewEarning, viewReceipt } from './view.ts';

const pageSize = 30;

/** A passenger's past and coming payments, the latest first. */
export async function listReceipts(
  app: App,
  passengerId: string,
  { offset, bookingId }: { offset: number; bookingId?: string | undefined },
): Promise<OutputOf<typeof calls.receipts>> {
  const page = { offset, size: pageSize, bookingId };
  const { rows, total } = await queries.paymentsOf(app.db, passengerId, page);
  const partWay = rows.filter(({ kind }) => kind === 'partWay').map((row) => row.bookingId);
  const [people, ridden] = await Promise.all([
    peopleByIds(
      app,
      rows.map(({ driverId }) => driverId),
    ),
    app.ports.payments.riddenOf(app.db, partWay),
  ]);
  return {
    receipts: rows.map((row) =>
      viewReceipt(row, people.get(row.driverId) ?? null, ridden.get(row.bookingId) ?? null),
    ),
    total,
  };
}

/** A driver's past and coming earnings by booking, the latest first. */
export async function listEarnings(
  app: App,
  driverId: string,
  offset: number,
): Promise<OutputOf<typeof calls.earnings>> {
  const [rows, sums] = await Promise.all([
    queries.earningsOf(app.db, driverId, { offset, size: pageSize }),
    queries.earningSums(app.db, driverId),
  ]);
  const bookingIds = rows.map(({ bookingId }) => bookingId);
  const [people, claims] = await Promise.all([
    peopleByIds(
      app,
      rows.map(({ passengerId }) => passengerId),
    ),
    claimsOf(app.db, bookingIds),
  ]);
  const claimOf = new Map(claims.map((claim) => [claim.bookingId, claim]));
  return {
    earnings: rows.map((row) =>
      viewEarning(row, {
        passenger: people.get(row.passengerId) ?? null,
        claim: claimOf.get(row.bookingId) ?? null,
        terms: app.payments.terms,
      }),
    ),
    total: sums.total,
    netCents: sums.netCents,
    comingCents: sums.comingCents.reduce(
      (sum, cents) => sum + cents - feeOf(cents, app.payments.terms.fees),
      0,
    ),
  };
}

import type { App } from '../../app-type.ts';
import { feeOf } from '#contract/payments/fees.ts';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/payments/endpoints.ts';
import { claimsOf } from './claims/store.ts';
import * as queries from './queries.ts';
import type { RecordDirectory } from './record-directory.ts';
import type { Terms } from './terms.ts';
import { viewEarning, viewReceipt } from './view.ts';
import { peopleByIds } from '../identity/service.ts';

/** What the lists of payments work with. */
export interface ReceiptContext {
  platform: App;
  records: RecordDirectory;
  terms: Terms;
}

const pageSize = 30;

/** What a passenger has paid and will pay, the latest first. */
export async function listReceipts(
  { platform, records }: ReceiptContext,
  passengerId: string,
  { offset, bookingId }: { offset: number; bookingId?: string | undefined },
): Promise<OutputOf<typeof calls.receipts>> {
  const page = { offset, size: pageSize, bookingId };
  const { rows, total } = await queries.paymentsOf(platform.db, passengerId, page);
  const partWay = rows.filter(({ kind }) => kind === 'partWay').map((row) => row.bookingId);
  const [people, ridden] = await Promise.all([
    peopleByIds(
      platform,
      rows.map(({ driverId }) => driverId),
    ),
    records.riddenOf(platform.db, partWay),
  ]);
  return {
    receipts: rows.map((row) =>
      viewReceipt(row, people.get(row.driverId) ?? null, ridden.get(row.bookingId) ?? null),
    ),
    total,
  };
}

/** What a driver's bookings have brought and will bring, the latest first. */
export async function listEarnings(
  { platform, terms }: ReceiptContext,
  driverId: string,
  offset: number,
): Promise<OutputOf<typeof calls.earnings>> {
  const [rows, sums] = await Promise.all([
    queries.earningsOf(platform.db, driverId, { offset, size: pageSize }),
    queries.earningSums(platform.db, driverId),
  ]);
  const bookingIds = rows.map(({ bookingId }) => bookingId);
  const [people, claims] = await Promise.all([
    peopleByIds(
      platform,
      rows.map(({ passengerId }) => passengerId),
    ),
    claimsOf(platform.db, bookingIds),
  ]);
  const claimOf = new Map(claims.map((claim) => [claim.bookingId, claim]));
  return {
    earnings: rows.map((row) =>
      viewEarning(row, {
        passenger: people.get(row.passengerId) ?? null,
        claim: claimOf.get(row.bookingId) ?? null,
        terms,
      }),
    ),
    total: sums.total,
    netCents: sums.netCents,
    comingCents: sums.comingCents.reduce((sum, cents) => sum + cents - feeOf(cents, terms.fees), 0),
  };
}

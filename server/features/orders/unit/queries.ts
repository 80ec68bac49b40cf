import type { Db } from '../../../platform/database/db.ts';
import * as queries from '../queries.ts';
import { unitOf } from './order-unit.ts';

/** As of `queries.ts`; a transaction that holds the ride has its stops at hand. */
export async function stopsWithWindows(
  db: Db,
  rideIds: readonly string[],
): Promise<Awaited<ReturnType<typeof queries.stopsWithWindows>>> {
  const [only, ...others] = rideIds;
  const served = only === undefined || others.length > 0 ? null : (unitOf(db)?.stopsServed(only) ?? null);
  if (served === null) return queries.stopsWithWindows(db, rideIds);
  return served.map(({ stop, booking, request }) => ({
    ...stop,
    earliestAt: request?.earliestAt ?? null,
    latestAt: request?.latestAt ?? null,
    arriveBy: request?.arriveBy ?? null,
    pickupWalkMs: booking?.pickupWalkMs ?? null,
    dropoffWalkMs: booking?.dropoffWalkMs ?? null,
  }));
}

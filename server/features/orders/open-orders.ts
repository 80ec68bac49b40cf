import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { ReadContext } from './context.ts';
import * as open from './open/queries.ts';
import type { RequestRow, RideRow } from './queries.ts';
import { loadViewContext } from './view-context.ts';
import { viewRequest, viewRide } from './view.ts';

const pageSize = 20;

interface Query {
  role?: 'driver' | 'passenger' | undefined;
  offset: number;
}

/** Open rides and requests around a point that the viewer may see, soonest first. */
export async function openOrdersNear(
  context: ReadContext,
  at: { lon: number; lat: number },
  viewerId: string | null,
  query: Query,
): Promise<OutputOf<typeof calls.discover>> {
  const { db, clock } = context.platform;
  return viewPage(context, await open.openOrdersNear(db, at, viewerId, clock.now()), viewerId, query);
}

/** Open rides and requests of the viewer's contacts that the viewer may see, soonest first. */
export async function openOrdersOfContacts(
  context: ReadContext,
  viewerId: string,
  query: Query,
): Promise<OutputOf<typeof calls.discover>> {
  const { db, clock } = context.platform;
  return viewPage(context, await open.openOrdersOfContacts(db, viewerId, clock.now()), viewerId, query);
}

/** One page of some orders, soonest first. */
async function viewPage(
  context: ReadContext,
  found: { rides: RideRow[]; requests: RequestRow[] },
  viewerId: string | null,
  query: Query,
): Promise<OutputOf<typeof calls.discover>> {
  const rideRows = query.role === 'passenger' ? [] : found.rides;
  const requestRows = query.role === 'driver' ? [] : found.requests;
  const rows = [
    ...rideRows.map((row) => ({ at: row.departsAt, ride: row, request: null })),
    ...requestRows.map((row) => ({ at: row.earliestAt, ride: null, request: row })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const page = rows.slice(query.offset, query.offset + pageSize);
  const views = await loadViewContext(
    context,
    { rides: page.flatMap((row) => row.ride ?? []), requests: page.flatMap((row) => row.request ?? []) },
    viewerId,
  );
  return {
    orders: page.map((row) =>
      row.ride === null ? viewRequest(views, row.request) : viewRide(views, row.ride),
    ),
    total: rows.length,
  };
}

import type { z } from 'zod';
import { placeOfCursor, type listTickets as listCall } from '#contract/tickets/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { TeamViewer } from './policy.ts';
import * as store from './store.ts';

/** A page of the tickets that a viewer sees, and the cursor of the next one; null after the last. */
export async function ticketPage(
  db: Db,
  viewer: TeamViewer,
  { cursor, size, ...filter }: z.output<typeof listCall.input>,
): Promise<{ rows: store.TicketRow[]; next: string | null }> {
  // One more than is shown tells whether there is another page.
  const found = await store.ticketsAfter(db, viewer, {
    ...filter,
    after: placeOfCursor(cursor),
    size: size + 1,
  });
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  const next =
    found.length > size && last !== undefined ? `${last.updatedAt.getTime()}-${last.number}` : null;
  return { rows, next };
}

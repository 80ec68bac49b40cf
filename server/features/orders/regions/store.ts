import { sql } from 'drizzle-orm';
import type { Backfill } from '../../../platform/database/backfills.ts';

const pageSize = 500;

/** Bookings created before this column existed get the region of their ride. */
export const regionOfBookings: Backfill = {
  name: 'region of bookings',
  async fillPage(tx, after) {
    const { rows } = await tx.execute<{ last: string | null; filled: number }>(sql`
      with page as (
        select id, ride_id from bookings
        where ${after === null ? sql`true` : sql`id > ${after}`}
        order by id limit ${pageSize}
      ), filled as (
        update bookings set region_id = rides.region_id
        from page join rides on rides.id = page.ride_id
        where bookings.id = page.id and bookings.region_id = '' and rides.region_id <> ''
        returning 1
      )
      select (select id from page order by id desc limit 1)::text as last,
        (select count(*) from filled)::int as filled
    `);
    return rows[0]!;
  },
};

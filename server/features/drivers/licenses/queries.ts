import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { figure, type FigureSlot } from '../../../platform/database/figures.ts';
import { licenses } from '../../../schema/vehicles.ts';

/** The status of the photos that a person sent last, as an SQL value; null where they have sent none. */
export const licenseStatusOf = (person: SQLWrapper) =>
  sql<
    typeof licenses.$inferSelect.status | null
  >`(select ${licenses.status} from ${licenses} where ${licenses.userId} = ${person} order by ${licenses.createdAt} desc limit 1)`;

/** Why a license's photos were refused. */
export async function licenseReason(db: Db, licenseId: string): Promise<string> {
  const [row] = await db.select({ result: licenses.result }).from(licenses).where(eq(licenses.id, licenseId));
  return row?.result ?? '';
}

/** How many photos wait for an admin, and since when the oldest, each as an SQL value. */
export const waitingLicenseCounts = {
  licencesWaiting: sql`(select count(*) from licenses where status = 'Reviewing')`,
  oldestLicenceSentAt: sql`(select min(created_at) from licenses where status = 'Reviewing')`,
};

/**
 * How many licenses were decided in a slot, and how long they waited: by minutes up to three hours, then by
 * steps of a twentieth.
 */
export const licenseFigures = (slot: FigureSlot): SQL[] => {
  const decided = {
    at: sql`decided_at`,
    from: sql`licenses where decided_at is not null`,
    value: sql`count(*)`,
  };
  const minutes = sql`extract(epoch from decided_at - created_at) / 60`;
  const step = sql`power(1.05, round(ln(${minutes}) / ln(1.05)))`;
  return [
    figure(slot, { ...decided, name: 'licencesDecided' }),
    figure(slot, {
      ...decided,
      name: 'licenseWait',
      bucket: sql`(case when ${minutes} < 180 then round(${minutes}) else round(${step}) end)::int`,
    }),
  ];
};

import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { figure, type FigureSlot } from '../../../platform/database/figures.ts';
import { licences } from '../../../schema/vehicles.ts';

/** The status of the photos that a person sent last, as an SQL value; null where they have sent none. */
export const licenseStatusOf = (person: SQLWrapper) =>
  sql<
    typeof licences.$inferSelect.status | null
  >`(select ${licences.status} from ${licences} where ${licences.userId} = ${person} order by ${licences.createdAt} desc limit 1)`;

/** Why a license's photos were refused. */
export async function licenseReason(db: Db, licenceId: string): Promise<string> {
  const [row] = await db.select({ result: licences.result }).from(licences).where(eq(licences.id, licenceId));
  return row?.result ?? '';
}

/** How many photos wait for an admin, and since when the oldest, each as an SQL value. */
export const waitingLicenseCounts = {
  licencesWaiting: sql`(select count(*) from licences where status = 'Reviewing')`,
  oldestLicenceSentAt: sql`(select min(created_at) from licences where status = 'Reviewing')`,
};

/**
 * How many licenses were decided in a slot, and how long they waited: by minutes up to three hours, then by
 * steps of a twentieth.
 */
export const licenseFigures = (slot: FigureSlot): SQL[] => {
  const decided = {
    at: sql`decided_at`,
    from: sql`licences where decided_at is not null`,
    value: sql`count(*)`,
  };
  const minutes = sql`extract(epoch from decided_at - created_at) / 60`;
  const step = sql`power(1.05, round(ln(${minutes}) / ln(1.05)))`;
  return [
    figure(slot, { ...decided, name: 'licencesDecided' }),
    figure(slot, {
      ...decided,
      name: 'licenceWait',
      bucket: sql`(case when ${minutes} < 180 then round(${minutes}) else round(${step}) end)::int`,
    }),
  ];
};

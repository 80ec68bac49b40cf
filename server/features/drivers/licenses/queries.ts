import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { figure, type FigureSpan } from '../../../platform/database/figures.ts';
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

/** How many licenses were decided, and the median of the minutes they waited, by period. */
export const licenseFigures = (span: FigureSpan): SQL[] => {
  const decided = { at: sql`decided_at`, from: sql`licences where decided_at is not null` };
  return [
    figure(span, { ...decided, name: 'licencesDecided', value: sql`count(*)` }),
    figure(span, {
      ...decided,
      name: 'licenceWaitMinutes',
      value: sql`percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at) / 60)`,
    }),
  ];
};

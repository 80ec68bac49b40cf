import type { z } from 'zod';
import type { listReports as listCall, PersonReport } from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import { notFound } from '../../../platform/refusal.ts';
import { countReportsAbout, findReport, reportPage, type ReportRow } from '../../contacts/queries.ts';
import { closeReport } from '../../contacts/service.ts';
import { alreadySo, only, peopleOf, viewReport } from './view.ts';

const reportNotFound = () => notFound('admin.reportNotFound', 'We couldn’t find this report.');

/** Reports of people, but none about the admin. Logs that the admin read them. */
export async function listReports(
  app: App,
  adminId: string,
  input: z.output<typeof listCall.input>,
): Promise<OutputOf<typeof listCall>> {
  const { db, audit } = app;
  const { rows, total, open } = await reportPage(db, adminId, input);
  await audit.noteReading(
    adminId,
    'reports',
    rows.flatMap(({ subjectId, reporterId }) => [subjectId, reporterId]),
  );
  return { reports: await viewReports(app, rows), total, open };
}

/**
 * Closes a report. Refuses `admin.reportNotFound`, as for a report about the admin, and `admin.movedOn` when
 * another admin has closed it.
 */
export async function handleReport(
  app: App,
  adminId: string,
  id: string,
  outcome: string,
): Promise<PersonReport> {
  const { db, transact, audit, clock } = app;
  const row = await transact('handle report', async (tx) => {
    const handled = { handledAt: clock.now(), handledById: adminId, outcome };
    const closed = await closeReport(tx, id, handled);
    if (closed === null) {
      const report = await findReport(db, id);
      throw report === null || report.subjectId === adminId ? reportNotFound() : alreadySo();
    }
    const { subjectId } = closed;
    await audit.note(tx, {
      adminId,
      action: 'report.handled',
      personId: subjectId,
      thingId: id,
      note: outcome,
    });
    return closed;
  });
  return only(await viewReports(app, [row]), reportNotFound);
}

async function viewReports(app: App, rows: readonly ReportRow[]): Promise<PersonReport[]> {
  const subjectIds = rows.map(({ subjectId }) => subjectId);
  const [people, about] = await Promise.all([
    peopleOf(app, [...subjectIds, ...rows.flatMap(({ reporterId }) => reporterId ?? [])]),
    countReportsAbout(app.db, subjectIds),
  ]);
  return rows.map((row) => viewReport(row, people, about));
}

import type { Db } from '../../../platform/database/db.ts';
import { reportsByIds, type ReportRow } from '../../contacts/queries.ts';
import { closeReport, reopenReport } from '../../contacts/service.ts';
import * as feedback from '../feedback/store.ts';
import type { TicketRow } from './store.ts';

/** The messages and reports that tickets are about, by the tickets' ids. */
export interface Sources {
  feedback: ReadonlyMap<string, feedback.FeedbackRow>;
  reports: ReadonlyMap<string, ReportRow>;
}

export async function sourcesOf(db: Db, rows: readonly TicketRow[]): Promise<Sources> {
  const [messages, reports] = await Promise.all([
    feedback.feedbackByIds(
      db,
      rows.flatMap(({ feedbackId }) => feedbackId ?? []),
    ),
    reportsByIds(
      db,
      rows.flatMap(({ reportId }) => reportId ?? []),
    ),
  ]);
  return { feedback: messages, reports };
}

/**
 * Notes at what a ticket is about that it has been dealt with: the lists of messages and of reports read it
 * there.
 */
export async function closeSource(
  tx: Db,
  row: TicketRow,
  { now, adminId, outcome }: { now: Date; adminId: string | null; outcome: string },
): Promise<void> {
  if (row.reportId === null) await feedback.markRead(tx, row.id, now);
  else await closeReport(tx, row.reportId, { handledAt: now, handledById: adminId, outcome });
}

export async function reopenSource(tx: Db, row: TicketRow): Promise<void> {
  if (row.reportId === null) await feedback.markUnread(tx, row.id);
  else await reopenReport(tx, row.reportId);
}

import type * as calls from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import type { LogPage } from '../../../platform/security/audit-log.ts';
import { peopleOf } from './people.ts';
import { viewAction, viewReading } from './view.ts';

/** The log of admins' actions, the newest first, but no report about the viewer. */
export async function listActions(app: App, page: LogPage): Promise<OutputOf<typeof calls.listAudit>> {
  const { rows, total } = await app.audit.page(page);
  const people = await peopleOf(
    app,
    rows.flatMap(({ adminId, personId }) => [adminId, personId]),
  );
  return { entries: rows.map((row) => viewAction(row, people)), total };
}

/** The log of which admin read whose data, the newest first. */
export async function listReadings(app: App, page: LogPage): Promise<OutputOf<typeof calls.listReadings>> {
  const { rows, total } = await app.audit.readings(page);
  const people = await peopleOf(
    app,
    rows.flatMap(({ adminId, personIds }) => [adminId, ...personIds]),
  );
  return { entries: rows.map((row) => viewReading(row, people)), total };
}

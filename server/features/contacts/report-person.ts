import { randomUUID } from 'node:crypto';
import type { reportPerson as reportCall } from '#contract/contacts/endpoints.ts';
import type { InputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { peopleByIds } from '../identity/service.ts';
import type { ReportedLine } from './queries.ts';
import { personUnknown, yourself } from './refusals.ts';
import * as store from './store.ts';

type NewReport = Parameters<typeof store.insertReport>[1] & { lines?: readonly ReportedLine[] };

/**
 * Stores a person's report about another person for the admins. Refuses `contact.self`, `contact.notFound`.
 */
export async function reportPerson(
  app: App,
  reporterId: string,
  input: Required<InputOf<typeof reportCall>>,
): Promise<void> {
  const { transact, clock } = app;
  const { id: subjectId, reason, words } = input;
  if (reporterId === subjectId) throw yourself();
  if (!(await peopleByIds(app, [subjectId])).has(subjectId)) throw personUnknown();
  const row = { id: randomUUID(), reporterId, subjectId, reason, words, createdAt: clock.now() };
  await transact('report person', (tx) => keepReport(app, tx, row));
}

/**
 * Stores a report of a person for the admins, in the caller's transaction; false if this person already
 * reported the review or the message.
 * @param lines the reported chat message and those around it
 */
export async function keepReport(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Db,
  { lines = [], ...row }: NewReport,
): Promise<boolean> {
  const isNew = await store.insertReport(tx, row, lines);
  if (isNew) await outbox.emit(tx, 'report.filed', { reportId: row.id }, row.id);
  return isNew;
}

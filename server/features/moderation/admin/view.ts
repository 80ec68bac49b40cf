import type {
  AuditEntry,
  FeedbackMessage,
  ManagedUser,
  PersonReport,
  ReadingEntry,
} from '#contract/admin/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, type Refusal } from '../../../platform/refusal.ts';
import type { ActionRow, ReadingRow } from '../../../platform/security/audit-log.ts';
import type { ReportRow } from '../../contacts/queries.ts';
import { isAdmin, type UserRow } from '../../identity/queries.ts';
import { peopleByIds } from '../../identity/service.ts';
import type { FeedbackRow } from '../feedback/store.ts';

type People = ReadonlyMap<string, Person>;
const personOf = (people: People, id: string | null): Person | null =>
  id === null ? null : (people.get(id) ?? null);
const instantOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export const viewUser = (row: UserRow, person: Person): ManagedUser => ({
  person,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  phone: row.phone,
  createdAt: row.createdAt.toISOString(),
  isAdmin: isAdmin(row.staffRole),
  staffRole: row.staffRole,
  suspendedAt: instantOf(row.suspendedAt),
  suspendedReason: row.suspendedReason,
});

export const viewFeedback = (
  row: FeedbackRow,
  people: People,
  emails: ReadonlyMap<string, string>,
): FeedbackMessage => ({
  id: row.id,
  author: personOf(people, row.authorId),
  email: row.authorId === null ? '' : (emails.get(row.authorId) ?? ''),
  subject: row.subject,
  message: row.message,
  sentAt: row.createdAt.toISOString(),
  readAt: instantOf(row.readAt),
  answeredAt: instantOf(row.answeredAt),
  answer: row.answer,
});

export const viewReport = (
  row: ReportRow,
  people: People,
  about: ReadonlyMap<string, number>,
): PersonReport => ({
  id: row.id,
  reporter: personOf(people, row.reporterId),
  subject: personOf(people, row.subjectId),
  reason: row.reason,
  words: row.words,
  quote: row.quote,
  sentAt: row.createdAt.toISOString(),
  handledAt: instantOf(row.handledAt),
  outcome: row.outcome,
  others: Math.max(0, (about.get(row.subjectId) ?? 1) - 1),
});

export const viewAction = (row: ActionRow, people: People): AuditEntry => ({
  id: row.id,
  action: row.action,
  admin: personOf(people, row.adminId),
  person: personOf(people, row.personId),
  note: row.note,
  at: row.at.toISOString(),
});

export const viewReading = (row: ReadingRow, people: People): ReadingEntry => ({
  id: row.id,
  admin: personOf(people, row.adminId),
  list: row.list,
  times: row.times,
  peopleCount: row.peopleCount,
  people: row.personIds.flatMap((id) => people.get(id) ?? []),
  firstAt: row.firstAt.toISOString(),
  lastAt: row.lastAt.toISOString(),
});

export const alreadySo = () => movedOn('admin.movedOn', 'Another admin already did this.');

/** The people with these ids, each once; null ids are those whose account is gone. */
export const peopleOf = (app: App, ids: readonly (string | null)[]) =>
  peopleByIds(app, [...new Set(ids.filter((id) => id !== null))]);

/** The first of the views. Throws `missing()` where there is none. */
export function only<T>([first]: readonly T[], missing: () => Refusal): T {
  if (first === undefined) throw missing();
  return first;
}

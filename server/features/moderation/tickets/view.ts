import type { OwnThread, OwnTicket, ReportedLine, Thread, Ticket } from '#contract/tickets/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { ReportedLine as LineRow } from '../../contacts/queries.ts';
import type { NamedAccount } from '../../identity/queries.ts';
import type { Sources } from './answer-ticket.ts';
import type { MessageRow, TicketRow } from './store.ts';

type People = ReadonlyMap<string, Person>;
interface SeenWith {
  sources: Sources;
  people: People;
}

const personOf = (people: People, id: string | null): Person | null =>
  id === null ? null : (people.get(id) ?? null);

export const viewOwnTicket = (row: TicketRow, { sources, people }: SeenWith): OwnTicket => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  state: row.state,
  subject: sources.feedback.get(row.id)?.subject ?? '',
  about: personOf(people, sources.reports.get(row.id)?.subjectId ?? null),
  openedAt: row.openedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Its author's first words. */
export const firstWords = (row: TicketRow, { feedback, reports }: Sources): string =>
  feedback.get(row.id)?.message ?? reports.get(row.id)?.words ?? '';

export const viewOwnThread = (
  row: TicketRow,
  messages: readonly MessageRow[],
  seen: SeenWith,
): OwnThread => ({
  ...viewOwnTicket(row, seen),
  message: firstWords(row, seen.sources),
  messages: messages
    .filter(({ kind }) => kind !== 'note')
    .map(({ id, kind, text, at }) => ({
      id: String(id),
      byTeam: kind === 'answer',
      text,
      at: at.toISOString(),
    })),
});

export const viewTicket = (row: TicketRow, seen: SeenWith): Ticket => ({
  ...viewOwnTicket(row, seen),
  author: personOf(seen.people, row.authorId),
  assignee: personOf(seen.people, row.assigneeId),
  reason: seen.sources.reports.get(row.id)?.reason ?? null,
});

export const viewThread = (
  row: TicketRow,
  {
    messages,
    lines,
    author,
    otherReports,
    ...seen
  }: SeenWith & {
    messages: readonly MessageRow[];
    lines: ReportedLine[];
    author: NamedAccount | null;
    otherReports: number;
  },
): Thread => ({
  ...viewTicket(row, seen),
  email: author?.email ?? '',
  firstName: author === null ? '' : author.firstName || author.name,
  message: firstWords(row, seen.sources),
  quote: seen.sources.reports.get(row.id)?.quote ?? '',
  lines,
  otherReports,
  messages: messages.map(({ id, kind, authorId, text, at }) => ({
    id: String(id),
    kind,
    writer: personOf(seen.people, authorId),
    text,
    at: at.toISOString(),
  })),
});

export const viewLine = (
  { seq, isReported, senderId, kind, text, at }: LineRow,
  people: People,
  picture: ReportedLine['picture'],
): ReportedLine => ({
  seq,
  isReported,
  sender: personOf(people, senderId),
  kind,
  text,
  picture,
  at: at.toISOString(),
});

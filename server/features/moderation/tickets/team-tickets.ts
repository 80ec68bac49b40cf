import type { z } from 'zod';
import {
  mostAssignees,
  type listTickets as listCall,
  type ReportedLine,
  type Thread,
  placeOfCursor,
} from '#contract/tickets/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { countReportsAbout, reportedLinesOf } from '../../contacts/queries.ts';
import { namedAccounts } from '../../identity/queries.ts';
import { peopleByIds } from '../../identity/service.ts';
import { pictureSizesOf } from '../../pictures/queries.ts';
import { signedAddress } from '../../pictures/service.ts';
import { assigneesOf, ticketNotFound, type By } from './ticket-deeds.ts';
import { type TeamViewer, readerOf, worker } from './policy.ts';
import { sourcesOf, type Sources } from './answer-ticket.ts';
import * as store from './store.ts';
import { viewLine, viewThread, viewTicket } from './view.ts';

type Team = TeamViewer & { id: string };

/** A page of tickets. Logs that the admin read them. */
export async function listTickets(
  app: App,
  viewer: Team,
  input: z.output<typeof listCall.input>,
): Promise<OutputOf<typeof listCall>> {
  const { db } = app;
  const [{ rows, next }, counts] = await Promise.all([
    ticketPage(db, viewer, input),
    store.countTickets(db, viewer, input.kind),
  ]);
  const sources = await sourcesOf(db, rows);
  const people = await peopleOf(app, rows, sources);
  await noteReading(app, viewer.id, rows, sources);
  return { tickets: rows.map((row) => viewTicket(row, { sources, people })), next, counts };
}

/** A ticket with its thread. Logs that the admin read it. Refuses `ticket.notFound`. */
export async function readTicket(app: App, viewer: Team, id: string): Promise<Thread> {
  const { db } = app;
  const row = await store.findTicket(db, viewer, id);
  if (row === null) throw ticketNotFound();
  const [sources, messages, lines] = await Promise.all([
    sourcesOf(db, [row]),
    store.messagesOf(db, id),
    row.reportId === null ? [] : reportedLinesOf(db, row.reportId),
  ]);
  const subjectId = sources.reports.get(id)?.subjectId ?? null;
  const [people, authors, about] = await Promise.all([
    peopleOf(app, [row], sources, [
      ...messages.map(({ authorId }) => authorId),
      ...lines.map(({ senderId }) => senderId),
    ]),
    namedAccounts(db, row.authorId === null ? [] : [row.authorId]),
    countReportsAbout(db, subjectId === null ? [] : [subjectId]),
  ]);
  await noteReading(app, viewer.id, [row], sources);
  return viewThread(row, {
    sources,
    people,
    messages,
    lines: await viewLines(app, lines, people),
    author: [...authors.values()][0] ?? null,
    otherReports: Math.max(0, (about.get(subjectId ?? '') ?? 1) - 1),
  });
}

/** The people who may take a ticket, by name. Refuses `ticket.notFound`. */
export async function listAssignees(app: App, viewer: Team, id: string): Promise<Person[]> {
  const { db } = app;
  const row = await store.findTicket(db, viewer, id);
  if (row === null) throw ticketNotFound();
  const people = await peopleByIds(app, await assigneesOf(db, row));
  return [...people.values()].toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, mostAssignees);
}

/** Everyone whom tickets name, and `others`. */
function peopleOf(
  app: App,
  rows: readonly store.TicketRow[],
  { reports }: Sources,
  others: readonly (string | null)[] = [],
): Promise<ReadonlyMap<string, Person>> {
  const ids = [
    ...rows.flatMap(({ authorId, assigneeId }) => [authorId, assigneeId]),
    ...[...reports.values()].map(({ subjectId }) => subjectId),
    ...others,
  ];
  return peopleByIds(
    app,
    [...new Set(ids)].filter((id) => id !== null),
  );
}

/** A message is of its author, a report of both. */
const noteReading = (
  { audit }: App,
  adminId: string,
  rows: readonly store.TicketRow[],
  { reports }: Sources,
): Promise<void> =>
  audit.noteReading(
    adminId,
    'tickets',
    rows.flatMap(({ id, authorId }) => [authorId, reports.get(id)?.subjectId ?? null]),
  );

/** A report's lines with the addresses of their pictures. */
async function viewLines(
  app: App,
  lines: Awaited<ReturnType<typeof reportedLinesOf>>,
  people: ReadonlyMap<string, Person>,
): Promise<ReportedLine[]> {
  const sizes = await pictureSizesOf(
    app.db,
    lines.flatMap(({ pictureId }) => pictureId ?? []),
  );
  return Promise.all(
    lines.map(async (line) => {
      const size = line.pictureId === null ? undefined : sizes.get(line.pictureId);
      const picture =
        line.pictureId === null || size === undefined
          ? null
          : { url: await signedAddress(app, line.pictureId), ...size };
      return viewLine(line, people, picture);
    }),
  );
}

/** Does something with a ticket in one transaction, and shows what it is like afterwards. */
export async function workOnTicket<I extends { id: string }>(
  app: App,
  command: (tx: Db, by: By, input: I) => Promise<void>,
  caller: Caller,
  input: I,
): Promise<Thread> {
  const { transact, clock, env, outbox } = app;
  const by: By = {
    viewer: worker(caller.userId, caller.staffRole),
    now: clock.now(),
    publicUrl: env.publicUrl,
    post: outbox.post,
    emit: (...signal) => outbox.emit(...signal),
  };
  await transact('work on ticket', (tx) => command(tx, by, input));
  return readTicket(app, readerOf(caller), input.id);
}

/** A page of the tickets that a viewer sees, and the cursor of the next one; null after the last. */
export async function ticketPage(
  db: Db,
  viewer: TeamViewer,
  { cursor, size, ...filter }: z.output<typeof listCall.input>,
): Promise<{ rows: store.TicketRow[]; next: string | null }> {
  // One more than is shown tells whether there is another page.
  const found = await store.ticketsAfter(db, viewer, {
    ...filter,
    after: placeOfCursor(cursor),
    size: size + 1,
  });
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  const next =
    found.length > size && last !== undefined ? `${last.updatedAt.getTime()}-${last.number}` : null;
  return { rows, next };
}

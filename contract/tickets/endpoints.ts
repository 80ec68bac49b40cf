import { z } from 'zod';
import { reportReasons } from '../contacts/endpoints.ts';
import { defineEndpoint, hourSeconds, reportLimit } from '../define.ts';
import {
  feedbackLength,
  id,
  instant,
  mostWhole,
  nameLine,
  reasonLength,
  someWords,
  words,
} from '../units.ts';
import { person } from '../user/endpoints.ts';

/** A message to the operator, or a report about a person. */
export const ticketKinds = ['feedback', 'report'] as const;
export type TicketKind = (typeof ticketKinds)[number];
/** `open`: the team's turn; `waiting`: its author has an answer. */
export const ticketStates = ['open', 'waiting', 'closed'] as const;
export type TicketState = (typeof ticketStates)[number];
export const ticketLanguages = ['en', 'zh'] as const;

/** Maximum lines by people before a reported message, and after it, that are stored with the report. */
export const reportedLinesAround = 10;
/** The author's latest tickets; older ones are not listed. */
export const mostOwnTickets = 100;
export const mostCannedAnswers = 100;
/** Answers, replies and notes of one ticket. */
export const mostTicketMessages = 500;
/** People who may take a ticket, as they are offered. */
export const mostAssignees = 200;
export const cannedTitleLength = 80;
export const cannedTextLength = 2000;

/** In a canned answer: replaced by the first name of the person who is answered. */
export const namePlaceholder = '{name}';
const placeholder = /\{[^{}\n]{0,40}\}/g;

/** A canned answer's text for one person. */
export const filledAnswer = (text: string, name: string): string => text.replaceAll(namePlaceholder, name);

export const reportMessage = defineEndpoint({
  method: 'POST',
  path: '/im/report',
  who: 'user',
  summary:
    'Reports what another person wrote in a room of mine to the team, with the lines around it as they are now, once.',
  limits: [reportLimit],
  input: z.object({
    roomid: id,
    seq: z.number().int().min(1).max(mostWhole),
    reason: z.enum(reportReasons, 'Please select a reason.'),
    words: words(reasonLength).default(''),
  }),
  output: z.object({}),
  refusals: ['room.notFound', 'message.notFound', 'message.reported'],
});

const count = z.number().int();

/** A ticket as its author sees it too. */
export const ownTicket = z.object({
  id: z.string(),
  number: count,
  kind: z.enum(ticketKinds),
  state: z.enum(ticketStates),
  /** The subject of a message to the operator; empty for a report. */
  subject: z.string(),
  /** The person a report is about; null for a message, and once the account is gone. */
  about: person.nullable(),
  openedAt: instant,
  updatedAt: instant,
});
export type OwnTicket = z.output<typeof ownTicket>;

export const ownTickets = defineEndpoint({
  method: 'GET',
  path: '/feedback/tickets',
  who: 'user',
  summary: 'My messages to the team and my reports, those with the latest news first.',
  input: z.object({}),
  output: z.object({ tickets: z.array(ownTicket).max(mostOwnTickets) }),
  refusals: [],
});

export const ownThread = ownTicket.extend({
  /** The first words of it. */
  message: z.string(),
  messages: z
    .array(
      z.object({
        id: z.string(),
        /** The name of the team's member is not shown. */
        byTeam: z.boolean(),
        text: z.string(),
        at: instant,
      }),
    )
    .max(mostTicketMessages),
});
export type OwnThread = z.output<typeof ownThread>;

export const readOwnTicket = defineEndpoint({
  method: 'GET',
  path: '/feedback/ticket',
  who: 'user',
  summary: 'One of my tickets, with the answers of the team and mine.',
  input: z.object({ id }),
  output: ownThread,
  refusals: ['ticket.notFound'],
});

export const replyToTeam = defineEndpoint({
  method: 'POST',
  path: '/feedback/reply',
  who: 'user',
  summary: 'Writes to the team again in one of my tickets; a closed one is opened again.',
  limits: [{ countedAs: 'ticketReply', per: 'caller', most: 10, withinSeconds: hourSeconds }],
  input: z.object({ id, text: someWords(feedbackLength, 'Please enter a message.') }),
  output: ownThread,
  refusals: ['ticket.notFound', 'ticket.full'],
});

export const ticket = ownTicket.extend({
  /** Null where the app itself reports, and once the account is gone. */
  author: person.nullable(),
  assignee: person.nullable(),
  /** Late cancellations are reported by the app. Null for a message. */
  reason: z.enum([...reportReasons, 'late cancellations']).nullable(),
});
export type Ticket = z.output<typeof ticket>;

export const reportedLine = z.object({
  seq: count,
  isReported: z.boolean(),
  /** Null once the account is gone. */
  sender: person.nullable(),
  kind: z.enum(['text', 'picture', 'place']),
  text: z.string(),
  /** The signed address is valid for some minutes; null when the picture is gone. */
  picture: z.object({ url: z.string(), width: count, height: count }).nullable(),
  at: instant,
});
export type ReportedLine = z.output<typeof reportedLine>;

export const thread = ticket.extend({
  /** The author's email; empty once the account is gone. */
  email: z.string(),
  /** The replacement of `{name}` in a canned answer. */
  firstName: z.string(),
  message: z.string(),
  /** Stars and text of a reported review; empty where the report is about none. */
  quote: z.string(),
  /** The reported chat message and those around it, as they were; empty where the report is about none. */
  lines: z.array(reportedLine).max(2 * reportedLinesAround + 1),
  /** How many other reports about the same person there are. */
  otherReports: count,
  messages: z
    .array(
      z.object({
        id: z.string(),
        /** Notes are for the team alone. */
        kind: z.enum(['answer', 'reply', 'note']),
        /** Null for the command line, and once the account is gone. */
        writer: person.nullable(),
        text: z.string(),
        at: instant,
      }),
    )
    .max(mostTicketMessages),
});
export type Thread = z.output<typeof thread>;

/** The last ticket of a page: the time of its latest change, and its number. */
const cursor = z
  .string()
  .regex(/^(\d{1,15}-\d{1,9})?$/, 'This page is not valid.')
  .default('');

const mostTicketsOfPage = 100;

export const listTickets = defineEndpoint({
  method: 'GET',
  path: '/admin/tickets',
  who: 'admin',
  permission: 'tickets.read',
  summary: 'Tickets of the kinds that the caller’s role reads, those with the latest news first.',
  input: z.object({
    state: z.enum([...ticketStates, 'all']).default('open'),
    of: z.enum(['all', 'mine', 'unassigned']).default('all'),
    kind: z.enum([...ticketKinds, 'all']).default('all'),
    /** `next` of the page before; empty for the first. */
    cursor,
    size: z.coerce.number().int().min(1).max(mostTicketsOfPage).default(30),
  }),
  output: z.object({
    tickets: z.array(ticket).max(mostTicketsOfPage),
    /** The cursor of the next page; null after the last. */
    next: z.string().nullable(),
    /** Of the asked kind, up to a thousand each; `mine` and `unassigned` are not closed. */
    counts: z.object({ open: count, waiting: count, mine: count, unassigned: count }),
  }),
  refusals: [],
});

export const readTicket = defineEndpoint({
  method: 'GET',
  path: '/admin/ticket',
  who: 'admin',
  permission: 'tickets.read',
  summary: 'A ticket with its thread, notes of the team, and what a report is about.',
  input: z.object({ id }),
  output: thread,
  refusals: ['ticket.notFound'],
});

export const ticketAssignees = defineEndpoint({
  method: 'GET',
  path: '/admin/ticket-assignees',
  who: 'admin',
  permission: 'tickets.read',
  summary: 'The people on the team who may take a ticket, by name.',
  input: z.object({ id }),
  output: z.object({ people: z.array(person).max(mostAssignees) }),
  refusals: ['ticket.notFound'],
});

export const assignTicket = defineEndpoint({
  method: 'POST',
  path: '/admin/assign-ticket',
  who: 'admin',
  permission: 'tickets.answer',
  summary: 'Takes a ticket, gives it to another person on the team, or releases it.',
  input: z.object({
    id,
    /** The person who has it, as the caller saw it; null for none. With another one by now it is refused. */
    from: id.nullable(),
    /** Null releases it. */
    to: id.nullable(),
  }),
  output: thread,
  refusals: ['ticket.notFound', 'ticket.assigned', 'ticket.notOnTeam'],
});

export const answerTicket = defineEndpoint({
  method: 'POST',
  path: '/admin/answer-ticket',
  who: 'admin',
  permission: 'tickets.answer',
  summary: 'Answers the author, who is told and gets an email; the ticket then waits for them.',
  limits: [{ countedAs: 'ticketAnswer', per: 'caller', most: 200, withinSeconds: hourSeconds }],
  input: z.object({ id, text: someWords(feedbackLength, 'Please enter an answer.') }),
  output: thread,
  refusals: ['ticket.notFound', 'ticket.noAuthor', 'ticket.full'],
});

export const noteTicket = defineEndpoint({
  method: 'POST',
  path: '/admin/note-ticket',
  who: 'admin',
  permission: 'tickets.answer',
  summary: 'Writes a note for the team alone.',
  limits: [{ countedAs: 'ticketAnswer', per: 'caller', most: 200, withinSeconds: hourSeconds }],
  input: z.object({ id, text: someWords(feedbackLength, 'Please enter a note.') }),
  output: thread,
  refusals: ['ticket.notFound', 'ticket.full'],
});

export const closeTicket = defineEndpoint({
  method: 'POST',
  path: '/admin/close-ticket',
  who: 'admin',
  permission: 'tickets.answer',
  summary: 'Closes a ticket; a report with what came of it, for the team.',
  input: z.object({ id, outcome: words(reasonLength).default('') }),
  output: thread,
  refusals: ['ticket.notFound', 'ticket.outcomeMissing', 'admin.movedOn'],
});

export const reopenTicket = defineEndpoint({
  method: 'POST',
  path: '/admin/reopen-ticket',
  who: 'admin',
  permission: 'tickets.answer',
  summary: 'Opens a closed ticket again.',
  input: z.object({ id }),
  output: thread,
  refusals: ['ticket.notFound', 'admin.movedOn'],
});

export const cannedAnswer = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  language: z.enum(ticketLanguages),
  updatedAt: instant,
});
export type CannedAnswer = z.output<typeof cannedAnswer>;

export const listCannedAnswers = defineEndpoint({
  method: 'GET',
  path: '/admin/canned-answers',
  who: 'admin',
  permission: 'tickets.read',
  summary: 'The answers that the team keeps, by language and title.',
  input: z.object({}),
  output: z.object({ answers: z.array(cannedAnswer).max(mostCannedAnswers) }),
  refusals: [],
});

export const saveCannedAnswer = defineEndpoint({
  method: 'POST',
  path: '/admin/save-canned-answer',
  who: 'admin',
  permission: 'answers.write',
  summary: 'Keeps a new answer, or changes one.',
  input: z.object({
    /** Null for a new one. */
    id: id.nullable().default(null),
    title: nameLine(cannedTitleLength, 'Please enter a title.'),
    text: someWords(cannedTextLength, 'Please enter an answer.').refine(
      (text) => (text.match(placeholder) ?? []).every((each) => each === namePlaceholder),
      'The only placeholder is {name}.',
    ),
    language: z.enum(ticketLanguages, 'Please select a language.'),
  }),
  output: cannedAnswer,
  refusals: ['answer.notFound', 'answer.tooMany'],
});

export const deleteCannedAnswer = defineEndpoint({
  method: 'POST',
  path: '/admin/delete-canned-answer',
  who: 'admin',
  permission: 'answers.write',
  summary: 'Removes a kept answer.',
  input: z.object({ id }),
  output: z.object({}),
  refusals: ['answer.notFound'],
});

/** The place in the list that a cursor names; null for the first page. */
export function placeOfCursor(text: string): { at: Date; number: number } | null {
  const [ms, number] = text.split('-').map(Number);
  return ms === undefined || number === undefined || number > mostWhole ? null : { at: new Date(ms), number };
}

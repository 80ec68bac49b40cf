import {
  answerTicket,
  closeTicket,
  listTickets,
  noteTicket,
  ticketKinds,
  ticketStates,
} from '#contract/tickets/endpoints.ts';
import {
  changeByCommand,
  listByCommand,
  showByCommand,
  type Deed,
  type ToldThread,
  type ToldTicket,
} from '../../server/features/moderation/tickets/by-command.ts';
import { checked, misuse, readWords, type AdminCommand, type Outcome } from './run-command.ts';

const usage = `Messages to the operator and reports about people, by their numbers.
  npm run admin -- tickets list [--state ${ticketStates.join('|')}|all] [--kind ${ticketKinds.join('|')}|all]
                   [--of all|unassigned] [--size 30] [--after CURSOR] [--json]
  npm run admin -- tickets show NUMBER [--json]
  npm run admin -- tickets assign NUMBER --to you@example.com|nobody [--json]
  npm run admin -- tickets answer NUMBER --text TEXT [--json]   the author is told and gets an email
  npm run admin -- tickets note NUMBER --text TEXT [--json]     for the team alone
  npm run admin -- tickets close NUMBER [--outcome TEXT] [--json]
  npm run admin -- tickets reopen NUMBER [--json]`;

const names = ['state', 'kind', 'of', 'size', 'after', 'to', 'text', 'outcome'] as const;
type Given = Partial<Record<(typeof names)[number], string>>;

/** Which options a verb takes. */
const optionsOf: Record<string, readonly (keyof Given)[]> = {
  list: ['state', 'kind', 'of', 'size', 'after'],
  show: [],
  assign: ['to'],
  answer: ['text'],
  note: ['text'],
  close: ['outcome'],
  reopen: [],
};

export const tickets: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 2, names });
    const [verb = 'list', target = ''] = words;
    const options = optionsOf[verb] ?? misuse();
    if (Object.keys(given).some((name) => !options.some((each) => each === name))) misuse();
    if (verb === 'list') {
      if (target !== '' || given.of === 'mine') misuse();
      const { after, ...filter } = given;
      const asked = checked(listTickets.input, { ...filter, cursor: after });
      return { json, run: async ({ db }) => listed(await listByCommand(db, asked)) };
    }
    if (!/^\d{1,9}$/.test(target)) misuse();
    const number = Number(target);
    if (verb === 'show') return { json, run: async ({ db }) => shown(await showByCommand(db, number)) };
    const deed = deedOf(verb, given);
    return {
      json,
      run: async ({ db, now, env }) =>
        shown(await changeByCommand(db, { number, now, publicUrl: env.publicUrl }, deed)),
    };
  },
};

/** The deed that the words ask for, checked as the calls of the team check it. */
function deedOf(verb: string, given: Given): Deed {
  if (verb === 'reopen') return { verb };
  if (verb === 'assign') return { verb, to: given.to === undefined ? misuse() : personOf(given.to) };
  if (verb === 'close')
    return { verb, ...checked(closeTicket.input.pick({ outcome: true }), { outcome: given.outcome }) };
  const kind = verb === 'answer' ? verb : 'note';
  const { input } = kind === 'answer' ? answerTicket : noteTicket;
  return { verb: kind, ...checked(input.pick({ text: true }), { text: given.text ?? '' }) };
}

const personOf = (word: string): string | null => (word === 'nobody' ? null : word);

const listed = (page: { tickets: ToldTicket[]; next: string | null }): Outcome => ({
  text: [
    ...(page.tickets.length === 0 ? ['There are no such tickets.'] : page.tickets.map(lineOf)),
    ...(page.next === null ? [] : [`More: --after ${page.next}`]),
  ].join('\n'),
  json: page,
});

const shown = (ticket: ToldThread): Outcome => ({
  text: [
    lineOf(ticket),
    `opened ${ticket.openedAt}, last news ${ticket.updatedAt}`,
    '',
    ...(ticket.quote === '' ? [] : [`review: ${ticket.quote}`]),
    ticket.message,
    ...ticket.lines.map(
      ({ isReported, at, sender, text }) => `${isReported ? '>>' : '  '} ${at} ${sender ?? '?'}: ${text}`,
    ),
    ...ticket.messages.flatMap(({ kind, writer, text, at }) => [
      '',
      `${kind} ${at} ${writer ?? (kind === 'reply' ? '?' : 'the team')}`,
      text,
    ]),
  ].join('\n'),
  json: ticket,
});

const lineOf = ({ number, kind, state, assignee, author, about, subject, reason }: ToldTicket): string =>
  [
    `#${number}`.padEnd(7),
    kind.padEnd(8),
    state.padEnd(7),
    (assignee ?? 'nobody').padEnd(28),
    kind === 'report'
      ? `${author ?? 'Sameway'} about ${about ?? '?'}: ${reason}`
      : `${author ?? '?'}: ${subject}`,
  ].join(' ');

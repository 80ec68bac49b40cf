import { listDisputes, resolveDispute } from '#contract/payments/endpoints.ts';
import { disputeStates } from '#contract/payments/views.ts';
import {
  disputesByCommand,
  holdsByCommand,
  resolveByCommand,
  type ToldDispute,
  type ToldHold,
} from '../../server/features/payments/by-command.ts';
import { commandPlatform } from '../../server/platform/command-platform.ts';
import { linesOf, pageNames, pageOf } from './pages.ts';
import {
  checked,
  idOf,
  misuse,
  readWords,
  type AdminCommand,
  type Outcome,
  type Place,
} from './run-command.ts';

const usage = `Card holds that are not over with their next step, and disputes.
  npm run admin -- holds [--size 30] [--offset 0] [--json]
  npm run admin -- disputes [list] [--state ${disputeStates.join('|')}|all] [--size 30] [--offset 0] [--json]
  npm run admin -- disputes resolve ID --refund-cents 450 --decision TEXT [--json]   once; a running server refunds`;

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

const holds: AdminCommand = {
  usage,
  read(args) {
    const { given, json } = readWords(args, { most: 0, names: pageNames });
    const page = pageOf(given);
    return {
      json,
      async run({ db, now }) {
        const told = await holdsByCommand(db, page, now);
        const text = linesOf(told.holds.map(lineOfHold), {
          none: 'There are no open holds.',
          total: told.total,
          offset: page.offset,
        });
        return { text, json: told };
      },
    };
  },
};

const lineOfHold = ({
  orderNumber,
  rideAt,
  amountCents,
  authorizedCents,
  state,
  next,
  nextAt,
  need,
  trouble,
  passenger,
  driver,
}: ToldHold): string =>
  [
    orderNumber.padEnd(10),
    rideAt,
    dollars(amountCents).padStart(8),
    `held ${dollars(authorizedCents)}`.padEnd(13),
    state.padEnd(23),
    `next: ${[next, need ?? trouble ?? '', nextAt ?? ''].filter(Boolean).join(' ')}`.padEnd(38),
    `${passenger ?? '?'} with ${driver ?? '?'}`,
  ].join(' ');

const disputes: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, {
      most: 2,
      names: [...pageNames, 'state', 'refund-cents', 'decision'],
    });
    const [verb = 'list', target = ''] = words;
    const { state, size, offset, 'refund-cents': refund, decision } = given;
    if (verb === 'list' && target === '') {
      if (refund !== undefined || decision !== undefined) misuse();
      const page = pageOf({ size, offset });
      const asked = { ...checked(listDisputes.input, { state, offset: page.offset }), size: page.size };
      return { json, run: ({ db }) => listed(db, asked) };
    }
    if (verb !== 'resolve' || state !== undefined || size !== undefined || offset !== undefined) misuse();
    const input = checked(resolveDispute.input, {
      disputeId: idOf(target),
      refundCents: refund === undefined || !/^\d+$/.test(refund) ? refund : Number(refund),
      decision: decision ?? '',
    });
    return { json, run: (place) => resolve(place, input) };
  },
};

async function listed(db: Place['db'], asked: Parameters<typeof disputesByCommand>[1]): Promise<Outcome> {
  const told = await disputesByCommand(db, asked);
  const lines = told.disputes.map(lineOfDispute);
  return {
    text: linesOf(lines, { none: 'There are no such disputes.', total: told.total, offset: asked.offset }),
    json: told,
  };
}

const lineOfDispute = ({
  id,
  orderNumber,
  state,
  owedCents,
  capturedCents,
  passenger,
  driver,
  text,
  answer,
}: ToldDispute): string =>
  [
    `${id}  ${orderNumber}  ${state.padEnd(8)} owed ${dollars(owedCents)}, charged ${dollars(capturedCents)}`,
    `  ${passenger ?? '?'}: ${text}`,
    ...(answer === '' ? [] : [`  ${driver ?? '?'}: ${answer}`]),
  ].join('\n');

async function resolve(place: Place, input: Parameters<typeof resolveByCommand>[1]): Promise<Outcome> {
  const dispute = await resolveByCommand(commandPlatform(place), input);
  return { text: `The dispute is decided: ${dollars(input.refundCents)} to the passenger.`, json: dispute };
}

export const moneyCommands = { holds, disputes };

import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { BuiltApp } from '../../app.ts';
import { webhookPath } from '../../features/payments/routes.ts';
import { dayMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { signatureOf } from '../../../stripe-sandbox/events.ts';
import { nameOf, pick, tick, type Dice, type Find, type Move } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';
import { answerBank } from './answer-bank.ts';

/** Maximum events of the provider that come together. */
const eventsTogether = 6;

const eventRow = z.object({ seq: z.coerce.number(), type: z.string(), body: z.unknown() });
type ProviderEvent = z.output<typeof eventRow>;

/** The provider's latest events of which the app could learn something, the newest first. */
async function latestEvents({ app }: HistoryContext, most: number): Promise<ProviderEvent[]> {
  const { rows } = await app.platform.db.execute(
    sql`select seq, body ->> 'type' as type, body from sandbox_objects where kind = 'event' order by seq desc limit ${most}`,
  );
  return rows.map((row) => eventRow.parse(row));
}

/** Brings an event to one process, as the provider's webhook does. */
async function bring({ clock }: HistoryContext, app: BuiltApp, { body }: ProviderEvent): Promise<void> {
  const [secret] = await app.platform.signedTokens.derivations('sandbox', 'webhook');
  const payload = JSON.stringify(body);
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: webhookPath,
    payload,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signatureOf(payload, `whsec_${secret}`, clock.now()),
    },
  });
  if (statusCode >= 300) throw new Error(`The webhook answered ${statusCode}.`);
}

/** Events come in any order, some of them twice, to both processes at once. */
async function bringShuffled(context: HistoryContext, { which, how }: Dice): Promise<void> {
  const events = await latestEvents(context, 3 * eventsTogether);
  const shuffled = events.toSorted((a, b) => orderOf(a, which) - orderOf(b, which)).slice(0, eventsTogether);
  const twice = shuffled.slice(0, how % eventsTogether);
  await Promise.all(
    [...shuffled, ...twice].map((event, at) =>
      bring(context, pick(context.apps, at + Math.floor(at / shuffled.length)), event),
    ),
  );
}

/** Some order that depends on the dice alone. */
const orderOf = ({ seq }: ProviderEvent, dice: number): number => (seq * (dice + 1)) % 97;

const newsAgain: Find = (context, world, dice) =>
  world.holds.length === 0
    ? []
    : [
        {
          who: null,
          words: 'news of the card provider comes again, in another order',
          act: () => bringShuffled(context, dice),
        },
      ];

/**
 * One process has read a thing's state, and the answer arrives after time has passed and both have done what
 * was due.
 */
async function readLate(context: HistoryContext, event: ProviderEvent, ms: number): Promise<void> {
  const [arrives, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  context.trouble.late = { taken: taken.resolve, until: arrives.promise };
  const reading = bring(context, context.apps[0]!, event);
  try {
    await Promise.race([taken.promise, reading]);
    context.trouble.late = null;
    context.clock.advance(ms);
    await tick(context);
  } finally {
    arrives.resolve();
    await reading;
  }
}

/** Until then a dispute has been opened, its money taken, or its evidence reviewed. */
const readsTake = [secondMs, 5 * minuteMs, dayMs, 4 * dayMs];

const readingIsLate: Find = (context, world, { which, how, more }) =>
  world.holds.length === 0
    ? []
    : [
        {
          who: null,
          words: 'an answer of the card provider is late',
          async act() {
            const events = await latestEvents(context, 3 * eventsTogether);
            const disputes = events.filter(({ type }) => type.startsWith('charge.dispute'));
            if (events.length === 0) return;
            const event = pick(disputes.length > 0 && more % 2 === 0 ? disputes : events, which);
            await readLate(context, event, pick(readsTake, how));
          },
        },
      ];

/** A passenger pays in the last seconds, and the event comes after the deadline. */
const paysLate: Find = (context, world, { how }) =>
  world.bookings.flatMap((booking) => {
    const { id, awaits, expiresAt } = booking;
    const hold = world.holds.find(
      ({ bookingId, isCurrent, state, actionUrl }) =>
        bookingId === id && isCurrent && state === 'requires_action' && actionUrl !== null,
    );
    if (awaits !== 'payment' || expiresAt === null || hold === undefined) return [];
    const at = later(expiresAt, -20 * secondMs);
    if (at <= world.now) return [];
    return [
      {
        who: hold.passengerId,
        words: `the bank hears a yes about ${nameOf(world, id)} at ${at.toISOString()}, just in time`,
        isAlone: true,
        async act() {
          context.clock.moveTo(at);
          await answerBank(context, hold, 'yes');
          context.clock.advance(pick([25, 90, 600], how) * secondMs);
          await tick(context);
        },
      },
    ];
  });

/** The card provider's events, and their times. */
export const news: Record<string, Move> = {
  newsAgain: { weight: 1.5, find: newsAgain },
  readingIsLate: { weight: 1.5, find: readingIsLate },
  paysLate: { weight: 3, find: paysLate },
};

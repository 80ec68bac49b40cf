import { array, nat, noBias, record, type Arbitrary } from 'fast-check';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { needOf } from '../../features/payments/service.ts';
import { leftovers, wrongs } from './invariants.ts';
import { nameOf, tick, type Deed, type Dice } from './deeds.ts';
import { moves } from './moves.ts';
import { nothingSeen, see } from './seen.ts';
import type { HistoryContext } from './history-context.ts';
import { clearing, liftingSuspensions } from './upsets.ts';
import { endOfLedger, readWorld, type World } from './world.ts';

const fewestSteps = 5;
const mostSteps = 60;
const checkEvery = 4;
const diceSides = 10_000;
/** Rounds of days in which chargebacks end. */
const mostRounds = 6;

/** Histories of up to 60 steps. */
export const histories: Arbitrary<Dice[]> = noBias(
  array(
    record({
      kind: nat(diceSides - 1),
      which: nat(diceSides - 1),
      how: nat(diceSides - 1),
      more: nat(diceSides - 1),
    }),
    { minLength: fewestSteps, maxLength: mostSteps, size: 'max' },
  ),
);

/**
 * How many steps of a history did what, by kind; how many were refused, by reason; and how its bookings,
 * payments and chargebacks ended.
 */
export interface Played {
  steps: number;
  moves: Record<string, number>;
  refused: Record<string, number>;
  ended: Record<string, number>;
}

/** Adds what was counted to what was counted before. */
export function addTo(sum: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, times] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + times;
}

/** A history after which something does not hold: what, and everything that was done. */
export class BrokenHistory extends Error {
  constructor(wrong: readonly string[], trace: readonly string[], world: World | null) {
    super(
      [
        ...wrong.map((each) => `✗ ${each}`),
        '',
        ...trace,
        '',
        ...(world === null ? [] : describe(world)),
      ].join('\n'),
    );
    this.name = 'BrokenHistory';
  }
}

function describe(world: World): string[] {
  return [
    ...world.rides.map(
      ({ id, state, departsAt }) => `${nameOf(world, id)} ${state}, leaves ${departsAt.toISOString()}`,
    ),
    ...world.requests.map(({ id, state }) => `${nameOf(world, id)} ${state}`),
    ...world.bookings.map(
      ({ id, rideId, requestId, state, awaits, fareCents, fault }) =>
        `${nameOf(world, id)} ${state}${awaits === null ? '' : ` (${awaits})`} of ${nameOf(world, requestId)} in ${nameOf(world, rideId)}, ${fareCents} ¢, fault ${String(fault)}`,
    ),
    ...world.holds.map(
      (hold) =>
        `${nameOf(world, hold.bookingId)} pays: ${hold.isCurrent ? '' : 'old, '}${hold.goal} ${hold.state}, ${hold.amountCents} ¢ (held ${hold.heldCents}, taken ${hold.takenCents} of ${hold.takeCents}, back ${hold.refundedCents}), next ${String(hold.nextAt?.toISOString())}, ${hold.declineCode ?? ''} ${hold.trouble ?? ''}`,
    ),
  ];
}

/** The deed that the dice choose among all that are possible now. */
function choose(context: HistoryContext, world: World, dice: Dice): { kind: string; deed: Deed } {
  const possible = Object.entries(moves).flatMap(([kind, { weight, find }]) => {
    // A suspended person is signed out.
    const deeds = find(context, world, dice).filter(({ who }) => who === null || !context.suspended.has(who));
    return deeds.length === 0 ? [] : [{ kind, weight, deeds }];
  });
  const all = possible.reduce((sum, { weight }) => sum + weight, 0);
  let left = Math.floor((dice.kind / diceSides) * all);
  for (const { kind, weight, deeds } of possible) {
    left -= weight;
    if (left < 0) return { kind, deed: deeds[dice.which % deeds.length]! };
  }
  throw new Error('Nothing can be done.');
}

/**
 * Plays one history on the context and lets it end: afterwards nothing of it is open, and the next one can
 * begin.
 * @throws BrokenHistory when something does not hold; the context must not be used again then.
 */
export async function playHistory(context: HistoryContext, steps: readonly Dice[]): Promise<Played> {
  const { clock } = context;
  const since = clock.now();
  const seen = nothingSeen(await endOfLedger(context));
  context.outages.length = 0;
  const trace: string[] = [];
  const played: Played = { steps: 0, moves: {}, refused: {}, ended: {} };
  let world: World | null = null;
  /** The world is as it was last read. */
  let isUnchanged = false;

  const say = (words: string) => {
    const minutes = Math.round((clock.now().getTime() - since.getTime()) / minuteMs);
    trace.push(`+${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}  ${words}`);
  };
  const look = async (): Promise<World> => {
    if (isUnchanged && world !== null) return (world = { ...world, now: clock.now() });
    world = await readWorld(context, since);
    see(context, world, seen);
    return world;
  };
  const check = async (isHeard: boolean): Promise<void> => {
    isUnchanged = false;
    const wrong = await wrongs(context, await look(), seen, { isHeard });
    if (wrong.length > 0) throw new BrokenHistory(wrong, trace, world);
    isUnchanged = true;
  };
  const attempt = async ({ words, act }: Deed): Promise<void> => {
    isUnchanged = false;
    try {
      await act();
      say(words);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        say(`${words} → ${String(error)}`);
        throw error;
      }
      addTo(played.refused, { [error.reason]: 1 });
      say(`${words} → ${error.reason}`);
    }
  };

  try {
    await chooseObjectors(context, steps);
    for (const dice of steps) {
      clock.advance(secondMs);
      const { kind, deed } = choose(context, await look(), dice);
      await attempt(deed);
      played.steps++;
      addTo(played.moves, { [kind]: 1 });
      const isHeard = dice.more % 3 === 0;
      if (isHeard) await context.app.platform.outbox.deliverAll(context.app.pool, context.app.platform.log);
      if (played.steps % checkEvery === 0) await check(isHeard);
    }
    say('— the end begins —');
    await endHistory(context, { look, check, attempt });
  } catch (error) {
    if (error instanceof BrokenHistory) throw error;
    const thrown = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
    throw new BrokenHistory([thrown], trace, world);
  }
  const rest = leftovers(await look());
  const compared = await context.app.features.payments.reconcile(since);
  rest.push(...compared.differences.map((each) => `the provider says otherwise: ${JSON.stringify(each)}`));
  const books = await context.app.features.payments.ledgerEqualsProvider();
  const isClosed = books !== null && Object.values(books.openCents).every((cents) => cents === 0);
  if (!isClosed || books.ledgerCents !== books.providerCents)
    rest.push(`the ledger is not the provider's balance: ${JSON.stringify(books)}`);
  if (rest.length > 0) throw new BrokenHistory(rest, trace, world);
  countEnds(await look(), played.ended);
  return played;
}

function countEnds({ bookings, holds, chargebacks }: World, ended: Played['ended']): void {
  for (const { state } of bookings) addTo(ended, { [`booking ${state}`]: 1 });
  for (const { state } of holds) addTo(ended, { [`payment ${state}`]: 1 });
  for (const { state, transfer } of chargebacks)
    addTo(ended, { [`chargeback ${state}, transfer ${transfer}`]: 1 });
}

/**
 * In one history of three, all passengers start with cards whose holders dispute each payment: the moves
 * alone choose them too rarely.
 */
async function chooseObjectors({ app, passengers }: HistoryContext, steps: readonly Dice[]): Promise<void> {
  const dice = steps[0];
  if (dice === undefined || dice.more % 3 !== 0) return;
  for (const objector of passengers) {
    await app.features.payments.chooseCard(objector.id, objector.cards.disputed);
    objector.pays = 'disputed';
  }
}

/** The provider is back, the clock runs past everything, and every person who owes pays. */
async function endHistory(
  context: HistoryContext,
  on: {
    look: () => Promise<World>;
    check: (isHeard: boolean) => Promise<void>;
    attempt: (deed: Deed) => Promise<void>;
  },
): Promise<void> {
  const { clock, app, passengers } = context;
  const { payments, orders } = app.features;
  const { bookings } = orders;
  // What the last step has done is seen a second later, as that of the others is.
  clock.advance(secondMs);
  await on.look();
  context.trouble.is = 'none';
  for (const who of passengers) {
    if (who.pays === 'good') continue;
    await payments.chooseCard(who.id, who.cards.good);
    who.pays = 'good';
  }
  const rest = async () => {
    clock.advance(2 * secondMs);
    await tick(context);
    await on.check(true);
  };
  await rest();
  const lastAt = Math.max(
    clock.now().getTime(),
    ...(await on.look()).rides.map(({ arrivesAt }) => arrivesAt.getTime()),
    ...(await on.look()).requests.map(({ arriveBy }) => arriveBy.getTime()),
  );
  for (const at of [later(new Date(lastAt), -2 * dayMs), later(new Date(lastAt), 4 * hourMs)]) {
    if (at > clock.now()) clock.moveTo(at);
    await rest();
    clock.advance(hourMs);
    await rest();
  }
  // What was missed is taken a day later; what is objected to, before its hold ends.
  clock.advance(2 * dayMs);
  await rest();
  clock.advance(8 * dayMs);
  await rest();
  await endChargebacks(context, on.look, rest);
  for (const deed of [...clearing(context, await on.look()), ...liftingSuspensions(context)])
    await on.attempt(deed);
  for (const hold of (await on.look()).holds) {
    if (!hold.isCurrent || needOf(hold) === null) continue;
    const { id, name, cards } = passengers.find((each) => each.id === hold.passengerId)!;
    await on.attempt({
      who: id,
      words: `${name} pays what is owed`,
      act: () => bookings.authorize(id, { bookingId: hold.bookingId, methodId: cards.good }),
    });
  }
  clock.advance(hourMs);
  await rest();
}

/**
 * Banks decide within days; what the provider refuses to send a driver again meanwhile, an admin tries again.
 */
async function endChargebacks(
  { app, clock, adminId }: HistoryContext,
  look: () => Promise<World>,
  rest: () => Promise<void>,
): Promise<void> {
  const { payments } = app.features;
  const isOpen = ({ chargebacks }: World) =>
    chargebacks.some(({ closedAt, transfer }) => closedAt === null || transfer.startsWith('to'));
  for (let rounds = 0; rounds < mostRounds && isOpen(await look()); rounds++) {
    for (const { id, canRetry } of (await payments.listMoney(adminId, 0)).alarms)
      if (canRetry) await payments.endAlarm(adminId, { id, again: true });
    clock.advance(4 * dayMs);
    await rest();
    await rest();
  }
}

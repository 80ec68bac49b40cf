import type { BuiltApp } from '../../app.ts';
import { array, nat, noBias, record, type Arbitrary } from 'fast-check';
import { authorizeBooking } from '../../features/orders/bookings/booking-payment.ts';
import { chooseCard, removeCard } from '../../features/payments/cards/manage-cards.ts';
import { listMoney, endAlarm } from '../../features/payments/money-admin.ts';
import { reconcile } from '../../features/payments/reconciliation/reconcile.ts';
import { needOf } from '../../features/payments/service.ts';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { besideOf, keyed, type Chosen } from './concurrency.ts';
import { hear, nameOf, pick, tick, type Deed, type Dice, type Move } from './deeds.ts';
import {
  beginAnew,
  cardNames,
  saveNamedCard,
  type CardName,
  type HistoryContext,
} from './history-context.ts';
import { leftovers, wrongs } from './invariants.ts';
import { wrongSums } from './money-invariants.ts';
import { deciding, moves } from './moves.ts';
import { hasAccount, letLeave, replaceGone, staying, unblocking } from './people-moves.ts';
import { scriptOf } from './scripts.ts';
import { nothingSeen, see } from './seen.ts';
import { clearing, liftingSuspensions } from './upsets.ts';
import { beforeClockChange, endingWeekly } from './weekly.ts';
import { endOfLedger, readWorld, type Booking, type Hold, type World } from './world.ts';

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
        `${nameOf(world, hold.bookingId)} pays: ${hold.isCurrent ? '' : 'old, '}${hold.goal} ${hold.state}, ${hold.amountCents} ¢ (held ${hold.authorizedCents}, taken ${hold.capturedCents} of ${hold.captureCents}, back ${hold.refundedCents}), next ${String(hold.nextAt?.toISOString())}, ${hold.declineCode ?? ''} ${hold.trouble ?? ''}`,
    ),
  ];
}

/** The deed that the dice choose: one of the kind that is meant, or else among all that are possible now. */
function choose(context: HistoryContext, world: World, dice: Dice, meant: string | null = null): Chosen {
  const app = pick(context.apps, dice.kind);
  // A suspended person is signed out; one who leaves does nothing more.
  const deedsBy = (of: BuiltApp, { find }: Move) =>
    find({ ...context, app: of }, world, dice).filter(
      ({ who }) => who === null || !(context.suspended.has(who) || context.leaving.has(who)),
    );
  const possible = Object.entries(moves).flatMap(([kind, move]) => {
    const deeds = deedsBy(app, move);
    const by = (of: BuiltApp) => pick(deedsBy(of, move), dice.which);
    return deeds.length === 0
      ? []
      : [{ weight: move.weight, chosen: { kind, deed: pick(deeds, dice.which), app, by } }];
  });
  const script = possible.find(({ chosen }) => chosen.kind === meant);
  if (script !== undefined) return script.chosen;
  const all = possible.reduce((sum, { weight }) => sum + weight, 0);
  let left = Math.floor((dice.kind / diceSides) * all);
  for (const { weight, chosen } of possible) {
    left -= weight;
    if (left < 0) return chosen;
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
  const [first] = steps;
  if (first !== undefined && first.how % 6 === 0) clock.moveTo(beforeClockChange(clock.now(), 4));
  beginAnew(context);
  const { since } = context;
  const seen = nothingSeen(await endOfLedger(context));
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
    world = await readWorld(context);
    see(context, world, seen);
    return world;
  };
  const check = async (isHeard: boolean): Promise<void> => {
    isUnchanged = false;
    const wrong = await wrongs(context, await look(), seen, { isHeard });
    if (wrong.length > 0) throw new BrokenHistory(wrong, trace, world);
    isUnchanged = true;
  };
  const attempt = async ({ words, act }: Pick<Deed, 'words' | 'act'>): Promise<void> => {
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
    await chooseStartingCards(context, scriptOf(steps[0]!).card);
    await playSteps(context, steps, { look, check, attempt, played });
    say('— the end begins —');
    await endHistory(context, { look, check, attempt });
  } catch (error) {
    if (error instanceof BrokenHistory) throw error;
    const thrown = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
    throw new BrokenHistory([thrown], trace, world);
  }
  const rest = await wrongInTheEnd(context, await look(), first);
  if (rest.length > 0) throw new BrokenHistory(rest, trace, world);
  countEnds(context, await look(), played.ended);
  await replaceGone(context);
  return played;
}

/** The reads and moves of a history in play. */
interface Playing {
  look: () => Promise<World>;
  check: (isHeard: boolean) => Promise<void>;
  attempt: (deed: Pick<Deed, 'words' | 'act'>) => Promise<void>;
}

/** In some steps two people do something at the same moment. */
async function playSteps(
  context: HistoryContext,
  steps: readonly Dice[],
  { look, check, attempt, played }: Playing & { played: Played },
): Promise<void> {
  const script = scriptOf(steps[0]!);
  for (const [at, dice] of steps.entries()) {
    context.clock.advance(secondMs);
    const chosen = choose(context, await look(), dice, script.next(dice));
    const beside = await besideOf(chosen, steps[at + 1], async (next) => choose(context, await look(), next));
    const all = [chosen, ...beside];
    // Both come to their end, so that nothing of them is under way any more.
    const ends = await Promise.allSettled(all.map((each) => attempt(keyed(context, each, dice))));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    played.steps++;
    for (const { kind } of all) addTo(played.moves, { [kind]: 1 });
    if (beside.length > 0) addTo(played.moves, { 'two at once': 1 });
    const isHeard = dice.more % 3 === 0;
    if (isHeard) await hear(context);
    if (played.steps % checkEvery === 0) await check(isHeard);
  }
}

/**
 * Faults at the end of a history: things left open, and differences from the provider; in some histories one
 * person leaves then.
 */
async function wrongInTheEnd(
  context: HistoryContext,
  world: World,
  first: Dice | undefined,
): Promise<string[]> {
  const { differences } = await reconcile(context.app.platform, context.since);
  const rest = [
    ...leftovers(world),
    ...differences.map((each) => `the provider says otherwise: ${JSON.stringify(each)}`),
    ...(await wrongSums(context)),
  ];
  return rest.length === 0 && first !== undefined && first.which % 6 === 0 ? letLeave(context, first) : rest;
}

function countEnds(context: HistoryContext, world: World, ended: Played['ended']): void {
  for (const { state } of world.bookings) addTo(ended, { [`booking ${state}`]: 1 });
  for (const { state } of world.holds) addTo(ended, { [`payment ${state}`]: 1 });
  for (const { state, transfer } of world.chargebacks)
    addTo(ended, { [`chargeback ${state}, transfer ${transfer}`]: 1 });
  for (const booking of world.bookings)
    for (const scene of scenesOf(context, world, booking)) addTo(ended, { [scene]: 1 });
}

/** A booking's rare events. */
function scenesOf({ paid }: HistoryContext, world: World, { id, state }: Booking): string[] {
  const holds = world.holds.filter(({ bookingId }) => bookingId === id);
  const disputes = world.disputes.filter(({ bookingId }) => bookingId === id);
  const isBoardedLate = world.meetings.some(({ thingId, move }) => thingId === id && move === 'boardLate');
  const replaced = holds
    .slice(0, -1)
    .filter(({ amountCents }, at) => amountCents !== holds[at + 1]!.amountCents);
  const isRefused = ({ declineCode }: Hold) => declineCode !== null;
  const scenes = {
    'paid at the bank': paid.has(id),
    'paid at the bank, then canceled': paid.has(id) && state === 'cancel',
    'another amount after a payment': replaced.length > 0,
    'another amount after a refused payment': replaced.some(isRefused),
    'on board after a miss': isBoardedLate,
    'on board after a miss, disputed': isBoardedLate && disputes.length > 0,
    'disputed twice': disputes.length > 1,
  };
  return Object.entries(scenes).flatMap(([scene, isSo]) => (isSo ? [scene] : []));
}

async function chooseStartingCards({ app, passengers }: HistoryContext, card: CardName): Promise<void> {
  if (card === 'good') return;
  for (const who of passengers) {
    await chooseCard(app.platform, who.id, who.cards[card]!);
    who.pays = card;
  }
}

/** The provider is back, the clock runs past everything, and every person who owes pays. */
async function endHistory(context: HistoryContext, on: Playing): Promise<void> {
  const { clock, app, passengers } = context;
  // The effects of the last step are seen a second later, as those of the others are.
  clock.advance(secondMs);
  await on.look();
  context.trouble.is = 'none';
  for (const deed of [...staying(context), ...unblocking(context), ...endingWeekly(context)])
    await on.attempt(deed);
  await payWithGoodCards(context);
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
  // The fare of a missed ride is captured a day later; a disputed one, before its hold ends.
  clock.advance(2 * dayMs);
  await rest();
  clock.advance(8 * dayMs);
  await rest();
  await endChargebacks(context, on.look, rest);
  const lastWords = [...clearing(context, await on.look()), ...deciding(context, await on.look())];
  for (const deed of [...lastWords, ...liftingSuspensions(context)]) await on.attempt(deed);
  await rest();
  for (const hold of (await on.look()).holds) {
    if (!hold.isCurrent || needOf(hold) === null) continue;
    const { id, name, cards } = passengers.find((each) => each.id === hold.passengerId)!;
    await on.attempt({
      words: `${name} pays what is owed`,
      act: () => authorizeBooking(app.platform, id, { bookingId: hold.bookingId, methodId: cards.good! }),
    });
  }
  clock.advance(hourMs);
  await rest();
  // A capture that the provider answered late may be disputed after the others are decided.
  await endChargebacks(context, on.look, rest);
}

/**
 * Banks decide within days; what the provider refuses to send a driver again meanwhile, an admin tries again.
 */
async function endChargebacks(
  { app, clock, adminId }: HistoryContext,
  look: () => Promise<World>,
  rest: () => Promise<void>,
): Promise<void> {
  const isOpen = ({ chargebacks }: World) =>
    chargebacks.some(({ closedAt, transfer }) => closedAt === null || transfer.startsWith('to'));
  for (let rounds = 0; rounds < mostRounds && isOpen(await look()); rounds++) {
    for (const { id, canRetry } of (await listMoney(app.platform, adminId, 0)).alarms)
      if (canRetry) await endAlarm(app.platform, adminId, { id, again: true });
    clock.advance(4 * dayMs);
    await rest();
    await rest();
  }
}

/** All cards are saved again, and the good ones pay. */
async function payWithGoodCards(context: HistoryContext): Promise<void> {
  const { app, passengers } = context;
  for (const who of passengers) {
    // Of an account that is being deleted the cards may be gone already.
    if (context.leaving.has(who.id) || !(await hasAccount(context, who.id))) continue;
    for (const card of cardNames) who.cards[card] ??= await saveNamedCard(app, who.id, card);
    if (who.pays !== 'good') await chooseCard(app.platform, who.id, who.cards.good!);
    who.pays = 'good';
    if (who.endingCard !== null) await removeCard(app.platform, who.id, who.endingCard);
    who.endingCard = null;
  }
}

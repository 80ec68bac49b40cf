import { and, eq, isNull } from 'drizzle-orm';
import { endedRequestStates, endedRideStates, openAskStates } from '#contract/rides/moves.ts';
import { deletionDays } from '#contract/privacy/endpoints.ts';
import { blockPerson, unblockPerson } from '../../features/contacts/report-person.ts';
import { removeCard as removeCardNow, chooseCard } from '../../features/payments/cards/manage-cards.ts';
import { askDeletion as askDeletionNow, undoDeletion } from '../../features/privacy/ask-deletion.ts';
import { dayMs } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { users } from '../../schema/identity.ts';
import { saveCard } from '../money.ts';
import { newSession } from '../people.ts';
import {
  driverOf,
  nameOf,
  passengerOf,
  pick,
  tick,
  type Deed,
  type Dice,
  type Find,
  type Move,
} from './deeds.ts';
import { cardNames, newDriver, newPassenger, type HistoryContext } from './history-context.ts';
import { readWorld, type World } from './world.ts';

const removeCard: Find = ({ app, passengers }, _world, { how }) =>
  passengers.flatMap((who) => {
    const card = pick(cardNames, how);
    const cardId = who.cards[card];
    if (cardId === null) return [];
    return [
      {
        who: who.id,
        words: `${who.name} removes the card that is ${card}`,
        async act() {
          // Known whatever becomes of it, so that it is saved again in the end.
          who.cards[card] = null;
          who.pays = null;
          await removeCardNow(app.platform, who.id, cardId);
        },
      },
    ];
  });

/** A card that ends with this month becomes the one that pays. */
const useEndingCard: Find = ({ app, clock, passengers }) =>
  passengers
    .filter(({ endingCard }) => endingCard === null)
    .map((who) => ({
      who: who.id,
      words: `${who.name} saves a card that ends with the month, and pays with it`,
      async act() {
        const expiry = clock.now().toISOString().slice(0, 7).split('-').toReversed().join(' / ');
        who.pays = null;
        who.endingCard = await saveCard(app, who.id, { expiry });
        await chooseCard(app.platform, who.id, who.endingCard);
      },
    }));

const block: Find = (context, world, { how }) =>
  world.bookings
    .filter(({ driverId, passengerId }) => !isBlocked(context, driverId, passengerId))
    .map(({ driverId, passengerId }) => {
      const pair = [driverOf(context, driverId), passengerOf(context, passengerId)];
      const [blocker, blocked] = how % 2 === 0 ? [pair[0]!, pair[1]!] : [pair[1]!, pair[0]!];
      return {
        who: blocker.id,
        words: `${blocker.name} blocks ${blocked.name}`,
        isAlone: true,
        async act() {
          await blockPerson(context.app.platform, blocker.id, blocked.id);
          context.blocks.push({ blockerId: blocker.id, blockedId: blocked.id, since: context.clock.now() });
        },
      };
    });

export const isBlocked = ({ blocks }: HistoryContext, one: string, other: string): boolean =>
  blocks.some(
    ({ blockerId, blockedId }) =>
      (blockerId === one && blockedId === other) || (blockerId === other && blockedId === one),
  );

export const unblocking = (context: HistoryContext): Deed[] =>
  context.blocks.map((each) => ({
    who: each.blockerId,
    words: `${nameOfPerson(context, each.blockerId)} no longer blocks ${nameOfPerson(context, each.blockedId)}`,
    isAlone: true,
    async act() {
      await unblockPerson(context.app.platform, each.blockerId, each.blockedId);
      context.blocks.splice(context.blocks.indexOf(each), 1);
    },
  }));

const nameOfPerson = ({ drivers, passengers }: HistoryContext, id: string): string =>
  [...drivers, ...passengers].find((each) => each.id === id)!.name;

/** Asks for the deletion of an account, as its owner who has just confirmed that it is them. */
export async function askDeletion({ app }: Pick<HistoryContext, 'app'>, userId: string): Promise<void> {
  const { id: sessionId } = await newSession(app.platform, userId);
  const caller = { userId, sessionId, staffRole: null };
  await askDeletionNow(app.platform, caller, '');
}

/** A person's open things, in words that change with them. */
const openThings = (world: World, personId: string): string =>
  [
    ...world.rides.filter(({ driverId }) => driverId === personId),
    ...world.requests.filter(({ passengerId }) => passengerId === personId),
    ...world.bookings.filter(
      ({ driverId, passengerId }) => driverId === personId || passengerId === personId,
    ),
  ]
    .map(({ id, state }) => `${nameOf(world, id)} ${state}`)
    .join(', ');

const leave: Find = (context, world) =>
  [...context.drivers, ...context.passengers]
    .filter(({ id }) => !context.leaving.has(id) && context.leaving.size < 2)
    .map(({ id, name }) => ({
      who: id,
      words: `${name} asks for their account to be deleted`,
      isAlone: true,
      async act() {
        try {
          await askDeletion(context, id);
          context.leaving.set(id, context.clock.now());
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const [before, after] = [openThings(world, id), openThings(await readWorld(context), id)];
          if (before !== after)
            throw new Error(`A deletion is refused (${error.reason}), and ${before} became ${after}`, {
              cause: error,
            });
          throw error;
        }
      },
    }));

export const staying = (context: HistoryContext): Deed[] =>
  [...context.drivers, ...context.passengers]
    .filter(({ id }) => context.leaving.has(id))
    .map(({ id, name }) => ({
      who: null,
      words: `${name} keeps their account`,
      isAlone: true,
      async act() {
        await undoDeletion(context.app.platform, id);
        if (await hasAccount(context, id)) context.leaving.delete(id);
      },
    }));

/** Of a person whose account is to be deleted nothing is left that is still to come. */
export function wrongLeaving({ leaving }: HistoryContext, world: World): string[] {
  const left = [
    ...world.rides.filter(({ driverId, state }) => leaving.has(driverId) && !endedRideStates.includes(state)),
    ...world.requests.filter(
      ({ passengerId, state }) => leaving.has(passengerId) && !endedRequestStates.includes(state),
    ),
  ];
  return left.map(({ id, state }) => `${nameOf(world, id)} (${state}) is of a person who leaves`);
}

/**
 * Between two people of whom one has blocked the other no ask, invitation or reserved seat is open; bookings
 * they had joined before go on, and may have to be paid again.
 */
export const wrongAsks = (context: HistoryContext, world: World): string[] =>
  world.bookings
    .filter(
      ({ state, joinedAt, driverId, passengerId }) =>
        openAskStates.includes(state) && joinedAt === null && isBlocked(context, driverId, passengerId),
    )
    .map(({ id, state }) => `${nameOf(world, id)} (${state}) is open between people who blocked each other`);

/** One person leaves for good once all is over: nothing is in the way, and after two weeks they are gone. */
export async function letLeave(context: HistoryContext, { more }: Dice): Promise<string[]> {
  const { clock, drivers, passengers } = context;
  const present = [...drivers, ...passengers].filter(({ id }) => !context.leaving.has(id));
  const { id, name } = pick(present, more);
  try {
    await askDeletion(context, id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [`${name} cannot leave when all is over: ${error.reason}`];
  }
  clock.advance((deletionDays + 1) * dayMs);
  await tick(context);
  return (await hasAccount(context, id)) ? [`${name} has left and is still there`] : [];
}

/** Whether a person's account is there, which is deleted two weeks after they asked for it. */
export const hasAccount = async ({ app }: HistoryContext, id: string): Promise<boolean> =>
  (await app.platform.db.$count(users, and(eq(users.id, id), isNull(users.deletedAt)))) === 1;

/** Another person with the name replaces each whose account was deleted. */
export async function replaceGone(context: HistoryContext): Promise<void> {
  const { app, drivers, passengers, suspended, leaving, blocks } = context;
  for (const [at, { id, name }] of drivers.entries())
    if (!(await hasAccount(context, id))) drivers[at] = await newDriver(app, name);
  for (const [at, { id, name }] of passengers.entries())
    if (!(await hasAccount(context, id))) passengers[at] = await newPassenger(app, name);
  suspended.clear();
  leaving.clear();
  blocks.length = 0;
}

/** People's deeds about their cards, their account, and each other. */
export const peopleMoves: Record<string, Move> = {
  removeCard: { weight: 0.3, find: removeCard },
  useEndingCard: { weight: 0.3, find: useEndingCard },
  block: { weight: 0.3, find: block },
  unblock: { weight: 0.5, find: unblocking },
  leave: { weight: 0.4, find: leave },
  stay: { weight: 1, find: staying },
};

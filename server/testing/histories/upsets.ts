import { seatedStates } from '#contract/rides/moves.ts';
import { setSuspended } from '../../features/moderation/admin/suspend-user.ts';
import {
  answerChargeback as answerChargebackNow,
  clearChargeback,
} from '../../features/payments/money-admin.ts';
import { sayTookPlace as sayTookPlaceNow } from '../../features/trips/no-show.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { driverOf, nameOf, passengerOf, pick, tick, type Deed, type Find, type Move } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';
import type { World } from './world.ts';

const awayFor = [
  2 * minuteMs,
  7 * minuteMs,
  30 * minuteMs,
  hourMs,
  3 * hourMs,
  5 * hourMs,
  12 * hourMs,
  23 * hourMs,
  24 * hourMs,
];
const inWords = (ms: number) => (ms < hourMs ? `${ms / minuteMs} minutes` : `${ms / hourMs} hours`);

/** The server is away, and starts again; its scheduler runs at once, or later. */
async function beAway(context: HistoryContext, ms: number, ticks: boolean): Promise<void> {
  const from = context.clock.now();
  await context.beAway(ms);
  context.outages.push({ from, until: context.clock.now() });
  // As a server does that starts.
  await context.app.platform.uptime.beat();
  if (ticks) await tick(context);
}

const outage: Find = (context, _world, { how, more }) => {
  const ms = pick(awayFor, how);
  const ticks = more % 4 !== 0;
  return [
    {
      who: null,
      words: `the server is away for ${inWords(ms)}${ticks ? '' : ', and the scheduler sleeps'}`,
      act: () => beAway(context, ms, ticks),
    },
  ];
};

/** The server is away on the day of a ride, from some time before it leaves. */
const outageOfADay: Find = (context, world, { which, how, more }) =>
  world.rides
    .filter(
      ({ id, state, departsAt }) =>
        ['matching', 'full', 'waiting'].includes(state) &&
        departsAt > world.now &&
        world.bookings.some((booking) => booking.rideId === id && seatedStates.includes(booking.state)),
    )
    .flatMap(({ id, departsAt }) => {
      const from = later(departsAt, -pick([90, 50, 10, 1], which) * minuteMs);
      if (from <= world.now) return [];
      const ms = pick(awayFor.slice(3), how);
      const ticks = more % 4 !== 0;
      return [
        {
          who: null,
          words: `the server is away from ${from.toISOString()} for ${inWords(ms)}, the day of ${nameOf(world, id)}${ticks ? '' : ', and the scheduler sleeps'}`,
          async act() {
            context.clock.moveTo(from);
            await beAway(context, ms, ticks);
          },
        },
      ];
    });

const sayTookPlace: Find = (context, world, { how }) =>
  world.questions
    .filter(({ closedAt }) => closedAt === null)
    .flatMap(({ bookingId, driverId, passengerId, driverSays, passengerSays }) => {
      const tookPlace = how % 5 < 3;
      return [
        { ...driverOf(context, driverId), said: driverSays },
        { ...passengerOf(context, passengerId), said: passengerSays },
      ]
        .filter(({ said }) => said === null || how % 7 === 0)
        .map(({ id: who, name }) => ({
          who,
          words: `${name} says that ${nameOf(world, bookingId)} ${tookPlace ? 'took place' : 'did not take place'}`,
          act: () => sayTookPlaceNow(context.app.platform, { bookingId, tookPlace }, who),
        }));
    });

const bookingOf = (world: World, authorizationId: string | null): string =>
  nameOf(world, world.holds.find(({ id }) => id === authorizationId)?.bookingId ?? '');

const answerChargeback: Find = (context, world, { how }) =>
  world.chargebacks
    .filter(({ state }) => state === 'needs_response')
    .map(({ id, authorizationId }) => {
      const text = pick(['winning_evidence', 'losing_evidence', 'They rode along'], how);
      return {
        who: null,
        words: `the admin answers the chargeback of ${bookingOf(world, authorizationId)} with ${text}`,
        act: () => answerChargebackNow(context.app.platform, context.adminId, { id, text }),
      };
    });

/** Chargebacks and warnings that an admin has not cleared. */
const uncleared = ({ chargebacks, warnings }: World): { id: string; authorizationId: string | null }[] =>
  [...chargebacks, ...warnings].filter(({ clearedAt }) => clearedAt === null);

export const clearing = (context: HistoryContext, world: World): Deed[] =>
  uncleared(world).map(({ id, authorizationId }) => ({
    who: null,
    words: `the admin lets the passenger of ${bookingOf(world, authorizationId)} pay by card again`,
    act: () => clearChargeback(context.app.platform, context.adminId, { id, note: 'Talked to them' }),
  }));

const suspend: Find = (context, world) =>
  [...context.drivers, ...context.passengers]
    .filter(({ id }) => !context.suspended.has(id) && context.suspended.size < 2 && isBusy(world, id))
    .map(({ id, name }) => ({
      who: null,
      words: `the admin suspends ${name}`,
      async act() {
        await setSuspended(context.app.platform, context.adminId, {
          id,
          suspended: true,
          reason: 'Safety',
        });
        context.suspended.set(id, context.clock.now());
      },
    }));

/** Whether a person has something to lose. */
const isBusy = ({ bookings }: World, id: string): boolean =>
  bookings.some(
    ({ driverId, passengerId, endedAt }) => endedAt === null && (driverId === id || passengerId === id),
  );

export const liftingSuspensions = (context: HistoryContext): Deed[] =>
  [...context.drivers, ...context.passengers]
    .filter(({ id }) => context.suspended.has(id))
    .map(({ id, name }) => ({
      who: null,
      words: `the admin lets ${name} in again`,
      async act() {
        const reason = 'Talked to them';
        await setSuspended(context.app.platform, context.adminId, {
          id,
          suspended: false,
          reason,
        });
        context.suspended.delete(id);
      },
    }));

/** Events from outside: outages of the server, chargebacks of banks, and the acts of admins about both. */
export const upsets: Record<string, Move> = {
  outage: { weight: 0.7, find: outage },
  outageOfADay: { weight: 2, find: outageOfADay },
  sayTookPlace: { weight: 9, find: sayTookPlace },
  answerChargeback: { weight: 3, find: answerChargeback },
  clearChargeback: { weight: 1.5, find: clearing },
  suspend: { weight: 0.3, find: suspend },
  liftSuspension: { weight: 2, find: liftingSuspensions },
};

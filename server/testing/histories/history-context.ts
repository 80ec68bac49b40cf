import type { BuiltApp } from '../../app.ts';
import { createIdempotency, type Idempotency } from '../../platform/http/idempotency.ts';
import type { Line } from '../fickle-client.ts';
import { makeDriver, objectedNumbers, payIn, saveCard, testNumbers } from '../money.ts';
import { newPerson } from '../people.ts';
import type { StandingClock } from '../fixed-clock.ts';

/** The environment of the app of histories. */
export const historyEnv = {
  PUBLIC_URL: 'https://sameway.example',
  // One driver drives in many histories and lets people down in most of them.
  STRIKES_FOR_REVIEW: '1000000',
  STRIKES_FOR_SUSPENSION: '1000000',
};

/**
 * The test provider's cards that people pay with here: the last two are charged, and then objected to or
 * warned of.
 */
const cardNumbers = {
  ...testNumbers,
  disputed: objectedNumbers.disputedAsFraud,
  warnedOf: objectedNumbers.warnedOf,
};

export type CardName = keyof typeof cardNumbers;
export const cardNames = Object.keys(cardNumbers) as CardName[];
/** Of cards that do not end while histories are played. */
const farExpiry = '12 / 2099';

export const saveNamedCard = (app: BuiltApp, userId: string, name: CardName): Promise<string> =>
  saveCard(app, userId, { number: cardNumbers[name], expiry: farExpiry });

export interface Driver {
  name: string;
  id: string;
  vehicleId: string;
}

export interface Passenger {
  name: string;
  id: string;
  /** Those that are saved, by what they do; null for one that was removed. */
  cards: Record<CardName, string | null>;
  /** A card that ends within weeks; null where there is none. */
  endingCard: string | null;
  /** The one that pays unless another is chosen; null where that is none of `cards`. */
  pays: CardName | null;
}

/** Weekly rides as their driver entered them. */
export interface Weekly {
  id: string;
  driverId: string;
  /** ISO days of the week on which they leave, by the clocks of their start. */
  weekdays: readonly number[];
  localTime: string;
}

/** A time in which no process of the server was at work. */
export interface Outage {
  from: Date;
  until: Date;
}

/** An app, its clock and the line to its card provider, and the people who play. */
export interface HistoryContext {
  /** The process that does the next step, one of `apps`. */
  app: BuiltApp;
  /** Two processes of one installation, at work on one database at the same time. */
  apps: readonly BuiltApp[];
  /** The idempotency of each app, with which it does a call once for its key. */
  keys: ReadonlyMap<BuiltApp, Idempotency>;
  clock: StandingClock;
  /** When the history that is played began. */
  since: Date;
  trouble: Line;
  drivers: Driver[];
  passengers: Passenger[];
  adminId: string;
  strangerId: string;
  /** Stops the server for this time, and starts it again. */
  beAway: (milliseconds: number) => Promise<void>;
  /**
   * When the server was away in the history that is played: what the invariants know of it, whatever the
   * server says.
   */
  outages: Outage[];
  /** The suspended people, with the start of each suspension. */
  suspended: Map<string, Date>;
  /** The people whose accounts are to be deleted, with the start of each delay. */
  leaving: Map<string, Date>;
  /** The blocks between people, with their starts. */
  blocks: { blockerId: string; blockedId: string; since: Date }[];
  /**
   * Bookings that a passenger has paid before their time was over: when, by which of their payments, and
   * whether they have the seat.
   */
  paid: Map<string, { at: Date; authorizationId: string; hasSeat: boolean }>;
  weekly: Weekly[];
}

/** Forgets the state that an earlier history has left in a context. */
export function beginAnew(context: HistoryContext): void {
  context.since = context.clock.now();
  context.outages.length = 0;
  context.weekly.length = 0;
  context.paid.clear();
}

/**
 * The operator's deposit: the costs of lost disputes are theirs, and without money the provider refuses to
 * send any on.
 */
const ownMoneyCents = 10_000_00;

/** The fixed part of a context. */
export type Setting = Pick<HistoryContext, 'apps' | 'clock' | 'trouble' | 'beAway'>;

/**
 * Two drivers with a car and a verified account, five passengers with all cards each, an admin and a
 * stranger; two processes that serve them.
 */
export async function openHistoryContext(setting: Setting): Promise<HistoryContext> {
  const { apps, clock } = setting;
  const app = apps[0]!;
  await payIn(app, ownMoneyCents);
  const drivers: Driver[] = [];
  for (const name of ['Ann', 'Bob']) drivers.push(await newDriver(app, name));
  const passengers: Passenger[] = [];
  for (const name of ['Pia', 'Qin', 'Rex', 'Sue', 'Tom']) passengers.push(await newPassenger(app, name));
  const admin = await newPerson(app.platform, 'Admin', { isAdmin: true });
  const stranger = await newPerson(app.platform, 'Zoe');
  const keyed = apps.map(({ platform: { db, log } }) => createIdempotency({ db, clock, log }));
  return {
    ...setting,
    app,
    since: clock.now(),
    keys: new Map(apps.map((each, at) => [each, keyed[at]!])),
    drivers,
    passengers,
    adminId: admin.id,
    strangerId: stranger.id,
    outages: [],
    suspended: new Map(),
    leaving: new Map(),
    blocks: [],
    paid: new Map(),
    weekly: [],
  };
}

export async function newDriver(app: BuiltApp, name: string): Promise<Driver> {
  const { id } = await newPerson(app.platform, name);
  return { name, id, vehicleId: await makeDriver(app, id) };
}

export async function newPassenger(app: BuiltApp, name: string): Promise<Passenger> {
  const { id } = await newPerson(app.platform, name);
  const cards: Passenger['cards'] = {
    good: null,
    asksAlways: null,
    refusedOnCharge: null,
    disputed: null,
    warnedOf: null,
  };
  // The first one that is saved pays: the good one.
  for (const card of cardNames) cards[card] = await saveNamedCard(app, id, card);
  return { name, id, cards, endingCard: null, pays: 'good' };
}

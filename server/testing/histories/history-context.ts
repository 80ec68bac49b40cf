import type { App } from '../../app.ts';
import type { Trouble } from '../fickle-client.ts';
import { makeDriver, objectedNumbers, payIn, saveCard, testNumbers } from '../money.ts';
import { newPerson } from '../people.ts';
import type { StandingClock } from '../fixed-clock.ts';

/** What the app of histories is opened with. */
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

export interface Driver {
  name: string;
  id: string;
  vehicleId: string;
}

export interface Passenger {
  name: string;
  id: string;
  cards: Record<CardName, string>;
  /** The one that pays unless another is chosen. */
  pays: CardName;
}

/** A time in which no process of the server was at work. */
export interface Outage {
  from: Date;
  until: Date;
}

/** An app, its clock and the line to its card provider, and the people who play. */
export interface HistoryContext {
  app: App;
  clock: StandingClock;
  trouble: { is: Trouble };
  drivers: Driver[];
  passengers: Passenger[];
  adminId: string;
  strangerId: string;
  /** Stops the server for so long, and starts it again. */
  beAway: (milliseconds: number) => Promise<void>;
  /**
   * When the server was away in the history that is played: what the invariants know of it, whatever the
   * server says.
   */
  outages: Outage[];
  /** Who is suspended now, and since when. */
  suspended: Map<string, Date>;
}

/**
 * What the operator has paid in: what lost disputes cost is theirs, and without money the provider refuses to
 * send any on.
 */
const ownMoneyCents = 10_000_00;

/** What the context is set in. */
export type Setting = Pick<HistoryContext, 'app' | 'clock' | 'trouble' | 'beAway'>;

/**
 * Two drivers with a car and a verified account, five passengers with all cards each, an admin and a
 * stranger.
 */
export async function openHistoryContext(setting: Setting): Promise<HistoryContext> {
  const { app } = setting;
  await payIn(app, ownMoneyCents);
  const drivers: Driver[] = [];
  for (const name of ['Ann', 'Bob']) {
    const { id } = await newPerson(app.platform, name);
    const vehicleId = await makeDriver(app, id);
    drivers.push({ name, id, vehicleId });
  }
  const passengers: Passenger[] = [];
  for (const name of ['Pia', 'Qin', 'Rex', 'Sue', 'Tom']) {
    const { id } = await newPerson(app.platform, name);
    const cards = { good: '', asksAlways: '', refusedOnCharge: '', disputed: '', warnedOf: '' };
    // The first one that is saved pays: the good one.
    for (const card of cardNames) cards[card] = await saveCard(app, id, cardNumbers[card]);
    passengers.push({ name, id, cards, pays: 'good' });
  }
  const admin = await newPerson(app.platform, 'Admin', { isAdmin: true });
  const stranger = await newPerson(app.platform, 'Zoe');
  return {
    ...setting,
    drivers,
    passengers,
    adminId: admin.id,
    strangerId: stranger.id,
    outages: [],
    suspended: new Map(),
  };
}

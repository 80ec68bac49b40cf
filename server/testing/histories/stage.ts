import { randomUUID } from 'node:crypto';
import type { House } from '../../app.ts';
import { users } from '../../tables/identity.ts';
import type { Trouble } from '../fickle-client.ts';
import { answerPage, testNumbers } from '../money.ts';
import type { StandingClock } from '../standing-clock.ts';

/** What the house of histories is opened with. */
export const historyEnv = {
  PUBLIC_URL: 'https://sameway.example',
  // One driver drives in many histories and lets people down in most of them.
  STRIKES_FOR_REVIEW: '1000000',
  STRIKES_FOR_SUSPENSION: '1000000',
};

export type CardName = keyof typeof testNumbers;
export const cardNames = Object.keys(testNumbers) as CardName[];

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

/** A house, its clock and the line to its card provider, and the people who play. */
export interface Stage {
  house: House;
  clock: StandingClock;
  trouble: { is: Trouble };
  drivers: Driver[];
  passengers: Passenger[];
  adminId: string;
  strangerId: string;
}

/** Two drivers with a car and a verified account, five passengers with three cards each, an admin and somebody else. */
export async function setStage(house: House, clock: StandingClock, trouble: { is: Trouble }): Promise<Stage> {
  const drivers: Driver[] = [];
  for (const name of ['Ann', 'Bob']) {
    const id = await newPerson(house, name);
    const { url } = await house.rooms.payments.onboardLink(id);
    await answerPage(house, url, { outcome: 'verified' });
    await house.rooms.payments.account(id);
    const plate = randomUUID().slice(0, 7).toUpperCase();
    const car = { brand: 'Toyota', model: 'Prius', type: 'hatchback', year: 2021, color: 'blue' } as const;
    const { id: vehicleId } = await house.rooms.vehicles.create(id, { plate, ...car, seats: 4 });
    drivers.push({ name, id, vehicleId });
  }
  const passengers: Passenger[] = [];
  for (const name of ['Pia', 'Qin', 'Rex', 'Sue', 'Tom']) {
    const id = await newPerson(house, name);
    const cards = { good: '', asksAlways: '', refusedOnCharge: '' };
    for (const card of cardNames) cards[card] = await saveCard(house, id, testNumbers[card]);
    passengers.push({ name, id, cards, pays: 'good' });
  }
  const adminId = await newPerson(house, 'Admin', true);
  return { house, clock, trouble, drivers, passengers, adminId, strangerId: await newPerson(house, 'Zoe') };
}

async function newPerson({ base }: House, name: string, isAdmin = false): Promise<string> {
  const id = randomUUID();
  const now = base.clock.now();
  const email = `${name}.${id}@example.com`.toLowerCase();
  const known = { passwordHash: '', emailVerifiedAt: now, profileCompletedAt: now, createdAt: now };
  await base.db.insert(users).values({ id, name, email, isAdmin, ...known });
  return id;
}

/** Saves a card on the provider's page, as its holder would. */
async function saveCard(house: House, userId: string, number: string): Promise<string> {
  const { pageUrl } = await house.rooms.payments.addCard(userId, '');
  const to = await answerPage(house, pageUrl!, { number, expiry: '12/34', cvc: '123' });
  if (to.includes('/test-money/')) await answerPage(house, to, { answer: 'yes' });
  const { methods } = await house.rooms.payments.cards(userId);
  return methods[0]!.id;
}

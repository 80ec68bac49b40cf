import type { House } from '../../app.ts';
import type { Trouble } from '../fickle-client.ts';
import { makeDriver, saveCard, testNumbers } from '../money.ts';
import { newPerson } from '../people.ts';
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
    const { id } = await newPerson(house.base, name);
    const vehicleId = await makeDriver(house, id);
    drivers.push({ name, id, vehicleId });
  }
  const passengers: Passenger[] = [];
  for (const name of ['Pia', 'Qin', 'Rex', 'Sue', 'Tom']) {
    const { id } = await newPerson(house.base, name);
    const cards = { good: '', asksAlways: '', refusedOnCharge: '' };
    for (const card of cardNames) cards[card] = await saveCard(house, id, testNumbers[card]);
    passengers.push({ name, id, cards, pays: 'good' });
  }
  const admin = await newPerson(house.base, 'Admin', { isAdmin: true });
  const stranger = await newPerson(house.base, 'Zoe');
  return { house, clock, trouble, drivers, passengers, adminId: admin.id, strangerId: stranger.id };
}

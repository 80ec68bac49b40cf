/**
 * The habits of people on the simulated weekday. These are assumptions, not measurements: round figures of a
 * community in which most registered people commute by car and nine in ten weekdays are like any other.
 */
const habits = {
  /** Shares of all people; the rest opens the app and reads. */
  drivers: 0.3,
  passengers: 0.4,
  /** Trips that a weekly plan publishes by itself, at night. */
  recurring: 0.5,
  /** The average time from publishing by hand to the departure. */
  meanLeadHours: 10,
  searchesPerRequest: 2,
  /** Passengers' trips for which a driver is asked and says yes, and how many are asked until then. */
  agreed: 0.7,
  asksPerAgreed: 1.3,
  paid: 0.5,
  linesPerBooking: 6,
  reviewed: 0.4,
  /** The average number of passengers in a car that has at least one. */
  passengersPerCar: 1.5,
  opensPerDay: { traveler: 6, other: 1 },
  /** The time that the app stays open, with its connection. */
  openMinutes: 4,
  /** A drive of a commuter, in minutes: e to the power of a normal figure with this middle and spread. */
  driveLog: { middle: Math.log(20), spread: 0.45 },
  positionsPerMinute: 30,
} as const;

const departures = [
  { middleMinute: 7.83 * 60, spreadMinutes: 40 },
  { middleMinute: 17.17 * 60, spreadMinutes: 50 },
] as const;
/** When weekly plans publish the next day's rides. */
const nightMinutes = { from: 2 * 60, until: 4 * 60 } as const;

export const minutesPerDay = 24 * 60;

/** The actions of a person, or of the scheduler for them, on the servers; the names of `bench/costs`. */
export const actions = [
  'open the app',
  'publish a ride',
  'publish a request',
  'find matches',
  'ask',
  'accept',
  'accept, paid',
  'a chat line to one other person',
  'reach, pick up, depart',
  'a position of the car',
  'arrive',
  'arrive, paid',
  'review, both',
] as const;
export type Action = (typeof actions)[number];

/** Counts of a day, by the minute. */
export interface CellDay {
  people: number;
  /** How often each action begins in each minute. */
  counts: Record<Action, Float64Array>;
  /** People with a connection, and rides and requests that others may still find. */
  connected: Float64Array;
  openOffers: Float64Array;
}

/**
 * Draws a weekday of `people` in `cells` of unlike sizes: the cell of rank r has a weight of 1/√r, as towns
 * do when none is made to fit. Of all trips `crossing` end in another cell and are published and searched in
 * both.
 */
export function drawDay(of: {
  people: number;
  cells: number;
  crossing: number;
  random: () => number;
}): CellDay[] {
  const sizes = sizesOf(of.people, of.cells);
  const days = sizes.map(emptyDay);
  for (const day of days) {
    const draw = new PersonDraw(day, days, of);
    for (let person = 0; person < day.people; person++) draw.person();
  }
  return days;
}

/** People of each cell; all of them together are `people`. */
export function sizesOf(people: number, cells: number): number[] {
  const weights = Array.from({ length: cells }, (_, rank) => 1 / Math.sqrt(rank + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const sizes = weights.map((weight) => Math.floor((people * weight) / sum));
  sizes[0]! += people - sizes.reduce((total, size) => total + size, 0);
  return sizes;
}

function emptyDay(people: number): CellDay {
  const counts = Object.fromEntries(
    actions.map((action) => [action, new Float64Array(minutesPerDay)]),
  ) as Record<Action, Float64Array>;
  const minutes = () => new Float64Array(minutesPerDay);
  return { people, counts, connected: minutes(), openOffers: minutes() };
}

/** Draws people of one cell, one after another. */
class PersonDraw {
  readonly #day: CellDay;
  readonly #others: readonly CellDay[];
  readonly #crossing: number;
  readonly #random: () => number;

  constructor(day: CellDay, all: readonly CellDay[], of: { crossing: number; random: () => number }) {
    this.#day = day;
    this.#others = all.filter((each) => each !== day);
    this.#crossing = of.crossing;
    this.#random = of.random;
  }

  person(): void {
    const kind = this.#random();
    const travels = kind < habits.drivers + habits.passengers;
    const opens = travels ? habits.opensPerDay.traveler : habits.opensPerDay.other;
    for (let open = 0; open < opens; open++) this.#openApp(7 * 60 + this.#random() * 15 * 60);
    if (!travels) return;
    for (const { middleMinute, spreadMinutes } of departures) {
      const departs = middleMinute + spreadMinutes * this.#bell();
      const isDriver = kind < habits.drivers;
      const published = this.#publish(departs, isDriver);
      if (!isDriver) this.#findAndRide(published, departs);
    }
  }

  /** Publishes a ride or a request, by hand or by a weekly plan. @returns when */
  #publish(departs: number, isDriver: boolean): number {
    const { from, until } = nightMinutes;
    const isRecurring = this.#random() < habits.recurring;
    const lead = -Math.log(1 - this.#random()) * habits.meanLeadHours * 60;
    const at = isRecurring ? from + this.#random() * (until - from) : departs - lead;
    for (const day of this.#cellsOfTrip()) {
      this.#count(isDriver ? 'publish a ride' : 'publish a request', at, 1, day);
      add(day.openOffers, at, departs);
    }
    return at;
  }

  #findAndRide(published: number, departs: number): void {
    for (let search = 0; search < habits.searchesPerRequest; search++)
      for (const day of this.#cellsOfTrip()) this.#count('find matches', published + search * 30, 1, day);
    if (this.#random() >= habits.agreed) return;
    const agreedAt = published + this.#random() * 0.5 * (departs - published);
    const suffix = this.#random() < habits.paid ? ', paid' : '';
    this.#count('ask', agreedAt, habits.asksPerAgreed);
    this.#count(`accept${suffix}` as Action, agreedAt + 5);
    for (let line = 0; line < habits.linesPerBooking; line++)
      this.#count('a chat line to one other person', agreedAt + this.#random() * (departs - agreedAt));
    this.#ride(departs, suffix);
  }

  #ride(departs: number, suffix: '' | ', paid'): void {
    const { middle, spread } = habits.driveLog;
    const minutes = Math.exp(middle + spread * this.#bell());
    this.#count('reach, pick up, depart', departs);
    // The car's position is sent once for all of its passengers.
    const told = habits.positionsPerMinute / habits.passengersPerCar;
    for (let minute = 0; minute < minutes; minute++)
      this.#count('a position of the car', departs + minute, told);
    add(this.#day.connected, departs - 10, departs + minutes);
    this.#count(`arrive${suffix}` as Action, departs + minutes);
    if (this.#random() < habits.reviewed) this.#count('review, both', departs + minutes + 30);
  }

  #openApp(at: number): void {
    this.#count('open the app', at);
    add(this.#day.connected, at, at + habits.openMinutes);
  }

  /** The own cell, and the one where a trip ends that leaves it. */
  #cellsOfTrip(): readonly CellDay[] {
    if (this.#others.length === 0 || this.#random() >= this.#crossing) return [this.#day];
    return [this.#day, this.#others[Math.floor(this.#random() * this.#others.length)]!];
  }

  #count(action: Action, at: number, times = 1, day = this.#day): void {
    day.counts[action][minuteOf(at)]! += times;
  }

  /** A standard normal figure (G. Box, M. Muller, 1958). */
  #bell(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}

/** Yesterday's evening stands for this one's, and so on: every weekday is like the one before. */
const minuteOf = (at: number): number => ((Math.floor(at) % minutesPerDay) + minutesPerDay) % minutesPerDay;

/** Counts one more from a minute up to another. */
function add(minutes: Float64Array, from: number, until: number): void {
  for (let at = Math.floor(from); at < until; at++) minutes[minuteOf(at)]! += 1;
}

import { inTraffic, smallUrbanArea } from '#roads/graph/traffic.ts';
import type { events } from '../schema/events.ts';
import { hourMs, later, minuteMs } from '../platform/clock.ts';
import type { Days, TimeOfDay, Weekday } from './days.ts';
import type { Dice } from './seeded-random.ts';
import { people, type Persona, type Price } from './people.ts';
import type { PlaceKey } from './places.ts';
import { detourMs, type DriveMs } from './ways.ts';
import { noteFor } from './texts.ts';

/** How many rides and requests stand open when the seed is done. */
export const openRides = 120;
export const openRequests = 60;
/** The ways home of Leo and Ada are accepted by Mia and Yesenia, so they are open no more. */
const joinedInScenes = 2;

type EventRow = typeof events.$inferSelect;
export type EventKey = 'market' | 'cleanUp';

const closeInTimeMs = 20 * minuteMs;
const closeByMs = 7 * minuteMs;

/** An event, with the people who plan to come. */
export interface PlannedEvent extends Pick<EventRow, 'name' | 'description' | 'startsAt' | 'endsAt'> {
  key: EventKey;
  organiser: string;
  at: PlaceKey;
}

interface PlannedOrder {
  /** The name by which a scene of the three accounts finds it. */
  scene?: string;
  person: string;
  from: PlaceKey;
  to: PlaceKey;
  publishedAt: Date;
  seats: number;
  visibility: 'all users' | 'all contacts' | 'tags';
  /** Names of the owner's tags, where only those people are to see it. */
  tags: readonly string[];
  note: string;
  flight: string;
  event: EventKey | null;
}

export interface PlannedRide extends PlannedOrder {
  departsAt: Date;
  flexMinutes: number;
  /** Null takes the product's default. */
  maxDetourMinutes: number | null;
  price: Price;
}

export interface PlannedRequest extends PlannedOrder {
  earliestAt: Date;
  latestAt: Date;
  offerCents: number | null;
}

export interface Week {
  events: PlannedEvent[];
  rides: PlannedRide[];
  requests: PlannedRequest[];
}

/** People say 8:25, not 8:27. */
const roundDown = (ms: number) => new Date(Math.floor(ms / (5 * minuteMs)) * 5 * minuteMs);

/** Who leaves when from where to where. */
type DailyWay = [who: Persona, at: Date, from: PlaceKey, to: PlaceKey];

type Extra = Partial<
  Pick<PlannedOrder, 'seats' | 'visibility' | 'tags' | 'note' | 'flight' | 'scene' | 'publishedAt'>
>;
type Trip = [person: string, day: Weekday, time: TimeOfDay, from: PlaceKey, to: PlaceKey];

const airportRides: readonly [Trip, Price, Extra?][] = [
  [['patrick', 1, '05:50', 'rioDelMar', 'sanJoseAirport'], { car: 3000 }, { flight: 'WN1423', seats: 4 }],
  [
    ['patrick', 5, '12:40', 'rioDelMar', 'sanFranciscoAirport'],
    { car: 4000 },
    { flight: 'UA1175', seats: 4 },
  ],
  [['luis', 6, '04:50', 'seventh', 'sanFranciscoAirport'], { person: 1200 }, { seats: 4, flight: 'AS331' }],
  [['priya', 7, '15:20', 'glenwood', 'sanJoseAirport'], { person: 800 }, { seats: 4 }],
  [
    ['ben', 4, '20:40', 'sanJoseAirport', 'grahamHill'],
    { car: 2200 },
    { note: 'Landing 20:05, I wait 20 minutes at arrivals.', flight: 'DL2290' },
  ],
  [['marcus', 7, '17:50', 'brommer', 'sanJoseAirport'], { person: 900 }],
  [['hector', 6, '07:20', 'freedom', 'sanFranciscoAirport'], { car: 3600 }],
  [
    ['weiming', 3, '10:30', 'mountHermon', 'sanFranciscoAirport'],
    { person: 1200 },
    { flight: 'CA986', note: '去接国际航班，后备箱可放两个大箱子。' },
  ],
  [
    ['wanglei', 7, '20:30', 'sanFranciscoAirport', 'getchell'],
    { person: 1200 },
    { note: '从机场回圣克鲁斯，可以等半小时。' },
  ],
  [['samir', 2, '06:10', 'king', 'sanJoseAirport'], { person: 900 }, { seats: 2 }],
  [['grace', 5, '18:40', 'sanJoseAirport', 'capitola49th'], { person: 850 }],
  [['anjali', 1, '19:30', 'sanFranciscoAirport', 'aptosCedar'], { person: 1200 }, { flight: 'AI173' }],
];

const leisureRides: readonly [Trip, Price, Extra?][] = [
  [
    ['tom', 6, '09:00', 'gushee', 'naturalBridges'],
    'free',
    { note: 'Butterflies and tide pools. Back around two.' },
  ],
  [['tom', 6, '14:00', 'naturalBridges', 'gushee'], 'free'],
  [
    ['owen', 6, '18:50', 'kirby', 'pacificStation'],
    { person: 550 },
    { note: 'Concert downtown, driving home at eleven.' },
  ],
  [['owen', 6, '23:00', 'pacificStation', 'kirby'], { person: 550 }],
  [['camila', 6, '10:10', 'soquelMain', 'boardwalk'], { person: 550 }, { seats: 2 }],
  [['camila', 6, '16:15', 'boardwalk', 'soquelMain'], { person: 550 }, { seats: 2 }],
  [
    ['emily', 6, '08:30', 'soquelDrive', 'castleRock'],
    'free',
    { note: 'Trail run, easy pace, about 12 miles.' },
  ],
  [['emily', 6, '14:30', 'castleRock', 'soquelDrive'], 'free'],
  [['grace', 7, '09:15', 'capitola49th', 'redwoods'], 'free', { note: 'Walk in the redwoods, home by one.' }],
  [['grace', 7, '13:20', 'redwoods', 'capitola49th'], 'free'],
  [
    ['noah', 6, '06:20', 'pilkington', 'davenport'],
    'free',
    { seats: 2, note: 'Dawn patrol. Two boards fit on the roof.' },
  ],
  [['noah', 6, '10:40', 'davenport', 'pilkington'], 'free', { seats: 2 }],
  [['daniel', 7, '08:50', 'valleyDrive', 'wilderRanch'], { person: 600 }, { note: 'Bike rack for three.' }],
  [['daniel', 7, '13:00', 'wilderRanch', 'valleyDrive'], { person: 600 }],
  [['samir', 6, '10:30', 'king', 'aquarium'], { car: 2400 }],
  [['samir', 6, '17:10', 'aquarium', 'king'], { car: 2400 }],
  [['yesenia', 7, '11:30', 'thirtyEighth', 'seacliffPier'], 'free'],
  [['hannah', 7, '10:20', 'bonnyDoon', 'capitolaWharf'], { person: 600 }, { seats: 2 }],
  [
    ['xiaotong', 6, '10:15', 'pasatiempo', 'sanFrancisco'],
    { person: 1200 },
    { note: '去旧金山逛书店，晚上回来。' },
  ],
  [['xiaotong', 6, '18:30', 'sanFrancisco', 'pasatiempo'], { person: 1200 }],
  [['rachel', 7, '14:30', 'mill', 'boardwalk'], { person: 650 }],
  [['tessa', 5, '19:20', 'capitolaAvenue', 'pacificStation'], { person: 550 }, { note: 'Improv night!' }],
];

const trips: readonly [Trip, offerCents: number | null, Extra?][] = [
  [['kofi', 6, '05:00', 'laurel', 'sanFranciscoAirport'], 1500, { flight: 'AS331' }],
  [['ivy', 5, '12:50', 'cedar', 'sanFranciscoAirport'], 1800, { seats: 2, flight: 'UA1175' }],
  [
    ['ruth', 1, '06:00', 'aptosVillage', 'sanJoseAirport'],
    2000,
    { flight: 'WN1423', note: 'One large suitcase.' },
  ],
  [['malik', 7, '18:00', 'windham', 'sanJoseAirport'], 1200],
  [['siyu', 6, '10:10', 'bayAvenue', 'sanFrancisco'], 1500],
  [['lily', 6, '08:40', 'ocean', 'castleRock'], null],
  [['liuyang', 7, '20:40', 'sanFranciscoAirport', 'fair'], 1600],
  [['freya', 6, '09:00', 'highwayNine', 'naturalBridges'], null],
  [
    ['oscar', 6, '10:30', 'beanCreek', 'boardwalk'],
    700,
    { seats: 3, note: 'Two of us are under ten; we bring the booster seats.' },
  ],
  [['nora', 7, '09:00', 'graniteCreek', 'wilderRanch'], 800],
  [
    ['zhaomin', 6, '10:40', 'thirtieth', 'aquarium'],
    1800,
    { seats: 2, note: '带一个五岁的孩子，自备座椅。' },
  ],
  [['maya', 6, '18:40', 'hillcrest', 'pacificStation'], 700],
  [['jasmine', 6, '16:20', 'boardwalk', 'seventeenth'], null],
  [['amina', 5, '19:10', 'rioBeach', 'pacificStation'], 800],
  [['diego', 7, '11:40', 'parkAvenue', 'seacliffPier'], null],
  [['arturo', 2, '06:00', 'countyCenter', 'sanJoseAirport'], 1200],
];

const eventRides: readonly [person: string, EventKey, Price, Extra?][] = [
  ['weiming', 'market', { person: 550 }],
  ['rachel', 'market', { person: 650 }, { note: 'Leaving the market again at noon.' }],
  ['anjali', 'market', 'free'],
  ['hector', 'cleanUp', 'free', { seats: 4 }],
  ['camila', 'cleanUp', 'free'],
  ['luis', 'cleanUp', 'free', { seats: 4, note: 'Buckets and grabbers are in the trunk.' }],
  ['patrick', 'cleanUp', 'free'],
];
const eventRequests: readonly [person: string, EventKey, Extra?][] = [
  ['diego', 'market'],
  ['nora', 'market'],
  ['arturo', 'market', { seats: 2 }],
  ['jasmine', 'cleanUp'],
  ['siyu', 'cleanUp', { seats: 2 }],
  ['oscar', 'cleanUp', { seats: 3 }],
];

/** The stories of the three accounts are told in scenes of their own; chance gives them nothing. */
const starring: readonly string[] = ['mia', 'leo', 'ada'];

/** A free drive in the slowest hour of a week. */
const atMost = (freeMs: number): number => inTraffic(freeMs, Math.max(...smallUrbanArea.weekday));

/** Who is taken when; nobody is in two places at once. */
export class Diary {
  readonly #taken = new Map<string, [fromMs: number, toMs: number][]>();

  isFree(person: string, from: Date, to: Date): boolean {
    const spans = this.#taken.get(person) ?? [];
    return spans.every(([fromMs, toMs]) => to.getTime() <= fromMs || from.getTime() >= toMs);
  }

  take(person: string, from: Date, to: Date): void {
    this.#taken.set(person, [...(this.#taken.get(person) ?? []), [from.getTime(), to.getTime()]]);
  }
}

/**
 * The coming week of the community: who offers and who needs which way, when, for how much. The stories of the three
 * accounts come first, then airports, weekends and events, then the daily ways until the numbers are reached.
 */
export function planWeek(days: Days, dice: Dice, driveMs: DriveMs, diary: Diary): Week {
  const week: Week = { events: planEvents(days), rides: [], requests: [] };
  const personOf = new Map(people.map((each) => [each.key, each]));
  const persona = (key: string): Persona => {
    const found = personOf.get(key);
    if (found === undefined) throw new Error(`Nobody is called ${key}.`);
    return found;
  };
  const published = () => later(days.now, -dice.between(20, 70 * 60) * minuteMs);
  const common = (who: Persona, role: 'driver' | 'passenger', extra: Extra) => ({
    person: who.key,
    publishedAt: published(),
    visibility: 'all users' as const,
    tags: [],
    note: noteFor(dice, who, role),
    flight: '',
    event: null,
    ...extra,
  });

  /** Adds a ride unless its driver is busy then. */
  function ride(
    key: string,
    departsAt: Date,
    from: PlaceKey,
    to: PlaceKey,
    more: Extra & {
      price?: Price;
      flexMinutes?: number;
      maxDetourMinutes?: number;
      event?: EventKey;
    } = {},
  ): boolean {
    const who = persona(key);
    if (who.car === null) throw new Error(`${key} has no car.`);
    const { price = who.car.price, maxDetourMinutes = null, ...rest } = more;
    const { flexMinutes = dice.pick([0, 5, 10, 15]), ...extra } = rest;
    const until = later(departsAt, flexMinutes * minuteMs + atMost(driveMs(from, to)));
    if (!diary.isFree(key, departsAt, until)) return false;
    diary.take(key, departsAt, until);
    const seats = Math.min(dice.pick([1, 2, 2, 3, 3, 4]), who.car.seats);
    week.rides.push({
      seats,
      ...common(who, 'driver', extra),
      from,
      to,
      departsAt,
      flexMinutes,
      maxDetourMinutes,
      price,
    });
    return true;
  }

  /** Adds a request for a pick-up around an instant unless the passenger is busy then. */
  function request(
    key: string,
    around: Date,
    from: PlaceKey,
    to: PlaceKey,
    more: Extra & { offerCents?: number | null; event?: EventKey; early?: number; late?: number } = {},
  ): boolean {
    const who = persona(key);
    const { early = dice.pick([15, 20, 30]), late = dice.pick([20, 30, 40]), ...rest } = more;
    const { offerCents = dice.pick([null, null, 650, 750, 800, 1000, 1200]), ...extra } = rest;
    const [earliestAt, latestAt] = [later(around, -early * minuteMs), later(around, late * minuteMs)];
    const until = later(latestAt, atMost(driveMs(from, to)));
    if (!diary.isFree(key, earliestAt, until)) return false;
    diary.take(key, earliestAt, until);
    const seats = dice.percent(85) ? 1 : 2;
    week.requests.push({
      seats,
      ...common(who, 'passenger', extra),
      from,
      to,
      earliestAt,
      latestAt,
      offerCents,
    });
    return true;
  }

  planScenes();
  for (const [[key, day, time, from, to], price, extra] of [...airportRides, ...leisureRides])
    ride(key, days.next(day, time), from, to, { ...extra, price });
  for (const [[key, day, time, from, to], offerCents, extra] of trips)
    request(key, days.next(day, time), from, to, { ...extra, offerCents });
  for (const [key, event, price, extra] of eventRides) {
    const { home } = persona(key);
    const { at, startsAt } = eventOf(event);
    const early = dice.between(10, 20) * minuteMs;
    ride(key, roundDown(startsAt.getTime() - driveMs(home, at) - early), home, at, {
      flexMinutes: 5,
      ...extra,
      price,
      event,
    });
  }
  for (const [key, event, extra] of eventRequests) {
    const { home } = persona(key);
    const { at, startsAt } = eventOf(event);
    request(key, roundDown(startsAt.getTime() - driveMs(home, at) - 35 * minuteMs), home, at, {
      ...extra,
      event,
      early: 20,
      late: 20,
    });
  }
  fill(
    openRides - week.rides.length,
    dailyWays(
      (who) => who.car !== null,
      () => false,
    ),
    (who, at, from, to) => ride(who.key, at, from, to, visibilityOf(who)),
  );
  fill(
    openRequests + joinedInScenes - week.requests.length,
    dailyWays((who) => who.car === null, isDriven),
    (who, at, from, to) => request(who.key, at, from, to),
  );
  return week;

  function eventOf(key: EventKey): PlannedEvent {
    return week.events.find((each) => each.key === key)!;
  }

  /** One in eight of the daily rides is for people the driver knows. */
  function visibilityOf(who: Persona): Extra {
    if (!dice.percent(12)) return {};
    return who.key in circles && dice.percent(60)
      ? { visibility: 'tags', tags: Object.keys(circles[who.key]!) }
      : { visibility: 'all contacts' };
  }

  /** Whether somebody drives there at that time, so that the two may find each other. */
  function isDriven([who, at, from, to]: DailyWay): boolean {
    return week.rides.some(
      (each) =>
        each.visibility === 'all users' &&
        each.person !== who.key &&
        Math.abs(each.departsAt.getTime() + driveMs(each.from, from) - at.getTime()) <= closeInTimeMs &&
        detourMs(driveMs, each, { from, to }) <= closeByMs,
    );
  }

  /** Everybody's ways to work and back on their days, one way of each person before a second of anybody. */
  function dailyWays(who: (persona: Persona) => boolean, comesFirst: (way: DailyWay) => boolean): DailyWay[] {
    const ofEach = dice
      .shuffled(people.filter((each) => who(each) && !starring.includes(each.key)))
      .map((each) =>
        dice
          .shuffled(
            each.days.flatMap((day): DailyWay[] => {
              const late = dice.pick([-10, -5, 0, 0, 5, 10]) * minuteMs;
              return [
                [each, later(days.next(day, each.leaves, 105), late), each.home, each.work],
                [each, later(days.next(day, each.returns, 105), late), each.work, each.home],
              ];
            }),
          )
          .toSorted((a, b) => Number(comesFirst(b)) - Number(comesFirst(a))),
      );
    const rounds = Math.max(...ofEach.map((ways) => ways.length));
    return Array.from({ length: rounds }, (_, round) =>
      ofEach.flatMap((ways) => ways.slice(round, round + 1)),
    ).flat();
  }

  function fill(
    count: number,
    ways: readonly DailyWay[],
    add: (who: Persona, at: Date, from: PlaceKey, to: PlaceKey) => boolean,
  ): void {
    let left = count;
    for (const [who, at, from, to] of ways) {
      if (left === 0) return;
      if (add(who, at, from, to)) left -= 1;
    }
    if (left > 0) throw new Error(`${left} ways are missing for the week.`);
  }

  /** What a visitor finds when signing in as Mia, Leo or Ada. Nothing of theirs lies in the rest of today. */
  function planScenes(): void {
    const ago = (hours: number) => later(days.now, -hours * hourMs);
    const toCampus = (key: string, time: TimeOfDay, price: Price) =>
      ride(key, days.on(1, time), persona(key).home, persona(key).work, {
        scene: `${key}.campus`,
        price,
        seats: 3,
        flexMinutes: 10,
        maxDetourMinutes: 15,
      });
    // Tomorrow morning Leo needs a way to campus; Mia and three others go there.
    ride('mia', days.on(1, '08:05'), 'aptosCenter', 'scienceLibrary', {
      scene: 'mia.tomorrow',
      seats: 3,
      flexMinutes: 10,
      maxDetourMinutes: 15,
      note: 'I feed the tanks at the lab, also on weekends. Room for a backpack each.',
    });
    toCampus('emily', '08:15', 'free');
    toCampus('grace', '08:20', { person: 550 });
    toCampus('anjali', '08:10', { person: 650 });
    request('leo', days.on(1, '08:30'), 'capitolaRoad', 'scienceLibrary', {
      scene: 'leo.tomorrow',
      seats: 1,
      offerCents: 800,
      early: 20,
      late: 25,
      note: 'One backpack and a small robot.',
    });

    // The day after they ride home together.
    ride('mia', days.on(2, '17:30'), 'scienceLibrary', 'aptosCenter', {
      scene: 'mia.withLeo',
      publishedAt: days.on(-2, '19:05'),
      seats: 3,
      flexMinutes: 15,
      note: '',
    });
    request('leo', days.on(2, '17:35'), 'scienceLibrary', 'capitolaRoad', {
      scene: 'leo.withMia',
      publishedAt: days.on(-1, '12:20'),
      seats: 1,
      offerCents: 700,
      early: 10,
      late: 25,
      note: '',
    });

    // Two people wait for Mia's answer.
    ride('mia', days.on(3, '08:05'), 'aptosCenter', 'scienceLibrary', {
      scene: 'mia.asked',
      seats: 3,
      flexMinutes: 10,
      maxDetourMinutes: 15,
    });
    request('siyu', days.on(3, '08:20'), 'bayAvenue', 'scienceLibrary', {
      scene: 'siyu.asks',
      seats: 1,
      offerCents: null,
    });
    request('ivy', days.on(3, '08:25'), 'cedar', 'engineering', {
      scene: 'ivy.asks',
      seats: 1,
      offerCents: 700,
    });

    // Friends of hers may come along to the climbing gym.
    ride('mia', days.on(5, '18:40'), 'aptosCenter', 'climbingGym', {
      visibility: 'tags',
      tags: ['Climbing'],
      price: 'free',
      seats: 3,
      flexMinutes: 5,
      note: 'Climbing gym, home around nine.',
    });

    // Marcus has invited Leo to the airport.
    ride('marcus', days.on(6, '10:20'), 'brommer', 'sanJoseAirport', {
      scene: 'marcus.airport',
      publishedAt: ago(26),
      price: { person: 800 },
      seats: 4,
      flexMinutes: 15,
      flight: 'AA1406',
    });
    request('leo', days.on(6, '10:40'), 'capitolaRoad', 'sanJoseAirport', {
      scene: 'leo.airport',
      publishedAt: ago(9),
      seats: 1,
      offerCents: 1200,
      early: 30,
      late: 30,
      flight: 'AA1406',
      note: 'One suitcase, one instrument case.',
    });

    request('ada', days.on(1, '08:30'), 'seabright', 'seagate', { seats: 1, offerCents: 800 });
    // Yesenia takes Ada home.
    ride('yesenia', days.on(4, '17:00'), 'seagate', 'thirtyEighth', {
      scene: 'yesenia.home',
      publishedAt: days.on(-2, '20:10'),
      seats: 3,
      flexMinutes: 15,
      maxDetourMinutes: 15,
    });
    request('ada', days.on(4, '17:05'), 'seagate', 'seabright', {
      scene: 'ada.home',
      publishedAt: days.on(-1, '11:40'),
      seats: 1,
      offerCents: null,
      early: 10,
      late: 30,
    });
  }
}

function planEvents(days: Days): PlannedEvent[] {
  // A day ahead at least, so that there is time to find each other.
  const [market, cleanUp] = [days.next(6, '09:00', 24 * 60), days.next(7, '09:30', 24 * 60)];
  return [
    {
      key: 'market',
      organiser: 'ada',
      name: 'Saturday Farmers’ Market',
      description:
        'Fruit, flowers, tamales and music downtown. Bring your own bag; parking is scarce, so come together.',
      at: 'marketSquare',
      startsAt: market,
      endsAt: later(market, 4 * hourMs),
    },
    {
      key: 'cleanUp',
      organiser: 'noah',
      name: 'Seabright Beach Clean-up',
      description:
        'Two hours along the tide line, gloves and buckets are there. Coffee for everybody afterwards.',
      at: 'seabrightBeach',
      startsAt: cleanUp,
      endsAt: later(cleanUp, 2.5 * hourMs),
    },
  ];
}

/** Tags that people sort their contacts by, and who is in them. */
export const circles: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  mia: {
    Climbing: ['diego', 'anjali', 'hannah', 'tessa'],
    Family: ['sofia', 'hector'],
    Work: ['emily', 'nora', 'amina'],
  },
  leo: { Lab: ['jasmine', 'ivy', 'weiming'] },
  emily: { Runners: ['lily', 'freya', 'nora'] },
  camila: { Office: ['diego', 'owen', 'daniel', 'arturo'] },
  marcus: { Caltrain: ['kofi', 'ben', 'ivy'] },
  wanglei: { 同事: ['liuyang', 'xiaotong', 'zhaomin'] },
};

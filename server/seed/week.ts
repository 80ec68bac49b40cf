import { hourMs, later, minuteMs } from '../platform/clock.ts';
import { fillRequests, fillRides } from './daily-drives.ts';
import type { Days, TimeOfDay, Weekday } from './days.ts';
import type { Price } from './people.ts';
import type { PlaceKey } from './places.ts';
import { persona, WeekPlan, type EventKey, type Extra, type PlannedEvent, type Week } from './week-plan.ts';
import { planScenes } from './week-scenes.ts';

/** How many rides and requests stand open when the seed is done. */
export const openRides = 120;
export const openRequests = 60;
/** The rides home of Leo and Ada are accepted by Mia and Yesenia, so they are open no more. */
const joinedInScenes = 2;

/** People say 8:25, not 8:27. */
const roundDown = (ms: number) => new Date(Math.floor(ms / (5 * minuteMs)) * 5 * minuteMs);

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

/**
 * The coming week of the community: who offers and who needs which ride, when, for how much. The stories of
 * the three accounts come first, then airports, weekends and events, then the daily drives until the numbers
 * are reached.
 */
export function planWeek(basis: ConstructorParameters<typeof WeekPlan>[0]): Week {
  const { days } = basis;
  const plan = new WeekPlan(basis, planEvents(days));
  planScenes(plan);
  for (const [[key, day, time, from, to], price, extra] of [...airportRides, ...leisureRides])
    plan.addRide(key, days.next(day, time), [from, to], { ...extra, price });
  for (const [[key, day, time, from, to], offerCents, extra] of trips)
    plan.addRequest(key, days.next(day, time), [from, to], { ...extra, offerCents });
  planDrivesToEvents(plan);
  fillRides(plan, openRides);
  fillRequests(plan, openRequests + joinedInScenes);
  return plan.week;
}

function planDrivesToEvents(plan: WeekPlan): void {
  const { dice, driveMs } = plan;
  for (const [key, event, price, extra] of eventRides) {
    const { home } = persona(key);
    const { at, startsAt } = plan.eventOf(event);
    const early = dice.between(10, 20) * minuteMs;
    const departsAt = roundDown(startsAt.getTime() - driveMs(home, at) - early);
    plan.addRide(key, departsAt, [home, at], { flexMinutes: 5, ...extra, price, event });
  }
  for (const [key, event, extra] of eventRequests) {
    const { home } = persona(key);
    const { at, startsAt } = plan.eventOf(event);
    const around = roundDown(startsAt.getTime() - driveMs(home, at) - 35 * minuteMs);
    plan.addRequest(key, around, [home, at], { ...extra, event, early: 20, late: 20 });
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

import { hourMs, later, minuteMs } from '../platform/clock.ts';
import { fillRequests, fillRides } from './daily-drives.ts';
import type { Days, TimeOfDay, Weekday } from './days.ts';
import type { Price } from './people.ts';
import type { PlaceKey } from './place-roles.ts';
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
  [['patrick', 1, '05:50', 'home03', 'airportNear'], { car: 3000 }, { flight: 'WN1423', seats: 4 }],
  [['patrick', 5, '12:40', 'home03', 'airportFar'], { car: 4000 }, { flight: 'UA1175', seats: 4 }],
  [['luis', 6, '04:50', 'home17', 'airportFar'], { person: 1200 }, { seats: 4, flight: 'AS331' }],
  [['priya', 7, '15:20', 'home32', 'airportNear'], { person: 800 }, { seats: 4 }],
  [
    ['ben', 4, '20:40', 'airportNear', 'home29'],
    { car: 2200 },
    { note: 'Landing 20:05, I wait 20 minutes at arrivals.', flight: 'DL2290' },
  ],
  [['marcus', 7, '17:50', 'home13', 'airportNear'], { person: 900 }],
  [['hector', 6, '07:20', 'town02', 'airportFar'], { car: 3600 }],
  [
    ['weiming', 3, '10:30', 'home34', 'airportFar'],
    { person: 1200 },
    { flight: 'CA986', note: '去接国际航班，后备箱可放两个大箱子。' },
  ],
  [['wanglei', 7, '20:30', 'airportFar', 'home26'], { person: 1200 }, { note: '从机场回来，可以等半小时。' }],
  [['samir', 2, '06:10', 'home25', 'airportNear'], { person: 900 }, { seats: 2 }],
  [['grace', 5, '18:40', 'airportNear', 'home09'], { person: 850 }],
  [['anjali', 1, '19:30', 'airportFar', 'home02'], { person: 1200 }, { flight: 'AI173' }],
];

const leisureRides: readonly [Trip, Price, Extra?][] = [
  [['tom', 6, '09:00', 'home35', 'natureReserve'], 'free', { note: 'Birds and ponds. Back around two.' }],
  [['tom', 6, '14:00', 'natureReserve', 'home35'], 'free'],
  [
    ['owen', 6, '18:50', 'home36', 'station'],
    { person: 550 },
    { note: 'Concert downtown, driving home at eleven.' },
  ],
  [['owen', 6, '23:00', 'station', 'home36'], { person: 550 }],
  [['camila', 6, '10:10', 'home08', 'attraction'], { person: 550 }, { seats: 2 }],
  [['camila', 6, '16:15', 'attraction', 'home08'], { person: 550 }, { seats: 2 }],
  [['emily', 6, '08:30', 'home07', 'town07'], 'free', { note: 'Trail run, easy pace, about 12 miles.' }],
  [['emily', 6, '14:30', 'town07', 'home07'], 'free'],
  [['grace', 7, '09:15', 'home09', 'woods'], 'free', { note: 'Walk in the woods, home by one.' }],
  [['grace', 7, '13:20', 'woods', 'home09'], 'free'],
  [
    ['noah', 6, '06:20', 'home19', 'town08'],
    'free',
    { seats: 2, note: 'Early start. Two bikes fit on the rack.' },
  ],
  [['noah', 6, '10:40', 'town08', 'home19'], 'free', { seats: 2 }],
  [['daniel', 7, '08:50', 'home31', 'trails'], { person: 600 }, { note: 'Bike rack for three.' }],
  [['daniel', 7, '13:00', 'trails', 'home31'], { person: 600 }],
  [['samir', 6, '10:30', 'home25', 'town09'], { car: 2400 }],
  [['samir', 6, '17:10', 'town09', 'home25'], { car: 2400 }],
  [['yesenia', 7, '11:30', 'home16', 'viewpoint'], 'free'],
  [['hannah', 7, '10:20', 'home40', 'restaurant'], { person: 600 }, { seats: 2 }],
  [['xiaotong', 6, '10:15', 'home28', 'town10'], { person: 1200 }, { note: '进城逛书店，晚上回来。' }],
  [['xiaotong', 6, '18:30', 'town10', 'home28'], { person: 1200 }],
  [['rachel', 7, '14:30', 'home38', 'attraction'], { person: 650 }],
  [['tessa', 5, '19:20', 'home10', 'station'], { person: 550 }, { note: 'Improv night!' }],
];

const trips: readonly [Trip, offerCents: number | null, Extra?][] = [
  [['kofi', 6, '05:00', 'home23', 'airportFar'], 1500, { flight: 'AS331' }],
  [['ivy', 5, '12:50', 'home22', 'airportFar'], 1800, { seats: 2, flight: 'UA1175' }],
  [['ruth', 1, '06:00', 'home05', 'airportNear'], 2000, { flight: 'WN1423', note: 'One large suitcase.' }],
  [['malik', 7, '18:00', 'home20', 'airportNear'], 1200],
  [['siyu', 6, '10:10', 'home11', 'town10'], 1500],
  [['lily', 6, '08:40', 'home24', 'town07'], null],
  [['liuyang', 7, '20:40', 'airportFar', 'home27'], 1600],
  [['freya', 6, '09:00', 'home37', 'natureReserve'], null],
  [
    ['oscar', 6, '10:30', 'home33', 'attraction'],
    700,
    { seats: 3, note: 'Two of us are under ten; we bring the booster seats.' },
  ],
  [['nora', 7, '09:00', 'home30', 'trails'], 800],
  [['zhaomin', 6, '10:40', 'home15', 'town09'], 1800, { seats: 2, note: '带一个五岁的孩子，自备座椅。' }],
  [['maya', 6, '18:40', 'home39', 'station'], 700],
  [['jasmine', 6, '16:20', 'attraction', 'home14'], null],
  [['amina', 5, '19:10', 'home04', 'station'], 800],
  [['diego', 7, '11:40', 'home06', 'viewpoint'], null],
  [['arturo', 2, '06:00', 'countyOffices', 'airportNear'], 1200],
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
      organizer: 'ada',
      name: 'Saturday Farmers’ Market',
      description:
        'Fruit, flowers, bread and music downtown. Bring your own bag; parking is scarce, so come together.',
      at: 'market',
      startsAt: market,
      endsAt: later(market, 4 * hourMs),
    },
    {
      key: 'cleanUp',
      organizer: 'noah',
      name: 'Park Clean-up',
      description: 'Two hours on the paths, gloves and buckets are there. Coffee for all afterwards.',
      at: 'park',
      startsAt: cleanUp,
      endsAt: later(cleanUp, 2.5 * hourMs),
    },
  ];
}

import { hourMs, later } from '../platform/clock.ts';
import type { TimeOfDay } from './days.ts';
import type { Price } from './people.ts';
import { persona, type WeekPlan } from './week-plan.ts';

/** The scenes for a visitor who signs in as Mia, Leo or Ada. Nothing of theirs lies in the rest of today. */
export function planScenes(plan: WeekPlan): void {
  planCampusMorning(plan);
  planDriveHome(plan);
  planAsks(plan);
  planClimbing(plan);
  planAirport(plan);
  planAdasWeek(plan);
}

/** Tomorrow morning Leo needs a ride to campus; Mia and three others go there. */
function planCampusMorning(plan: WeekPlan): void {
  plan.addRide('mia', plan.days.on(1, '08:05'), ['home01', 'library'], {
    scene: 'mia.tomorrow',
    seats: 3,
    flexMinutes: 10,
    maxDetourMinutes: 15,
    note: 'I feed the tanks at the lab, also on weekends. Room for a backpack each.',
  });
  toCampus(plan, 'emily', '08:15', 'free');
  toCampus(plan, 'grace', '08:20', { person: 550 });
  toCampus(plan, 'anjali', '08:10', { person: 650 });
  plan.addRequest('leo', plan.days.on(1, '08:30'), ['home12', 'library'], {
    scene: 'leo.tomorrow',
    seats: 1,
    offerCents: 800,
    early: 20,
    late: 25,
    note: 'One backpack and a small robot.',
  });
}

const toCampus = (plan: WeekPlan, key: string, time: TimeOfDay, price: Price): boolean =>
  plan.addRide(key, plan.days.on(1, time), [persona(key).home, persona(key).work], {
    scene: `${key}.campus`,
    price,
    seats: 3,
    flexMinutes: 10,
    maxDetourMinutes: 15,
  });

/** The day after tomorrow Mia and Leo ride home together. */
function planDriveHome(plan: WeekPlan): void {
  plan.addRide('mia', plan.days.on(2, '17:30'), ['library', 'home01'], {
    scene: 'mia.withLeo',
    publishedAt: plan.days.on(-2, '19:05'),
    seats: 3,
    flexMinutes: 15,
    note: '',
  });
  plan.addRequest('leo', plan.days.on(2, '17:35'), ['library', 'home12'], {
    scene: 'leo.withMia',
    publishedAt: plan.days.on(-1, '12:20'),
    seats: 1,
    offerCents: 700,
    early: 10,
    late: 25,
    note: '',
  });
}

/** Two passengers wait for Mia's answer. */
function planAsks(plan: WeekPlan): void {
  plan.addRide('mia', plan.days.on(3, '08:05'), ['home01', 'library'], {
    scene: 'mia.asked',
    seats: 3,
    flexMinutes: 10,
    maxDetourMinutes: 15,
  });
  plan.addRequest('siyu', plan.days.on(3, '08:20'), ['home11', 'library'], {
    scene: 'siyu.asks',
    seats: 1,
    offerCents: null,
  });
  plan.addRequest('ivy', plan.days.on(3, '08:25'), ['home22', 'lectureHall'], {
    scene: 'ivy.asks',
    seats: 1,
    offerCents: 700,
  });
}

/** Friends of Mia may come along to the climbing gym. */
function planClimbing(plan: WeekPlan): void {
  plan.addRide('mia', plan.days.on(5, '18:40'), ['home01', 'gym'], {
    visibility: 'tags',
    tags: ['Climbing'],
    price: 'free',
    seats: 3,
    flexMinutes: 5,
    note: 'Climbing gym, home around nine.',
  });
}

/** Marcus has invited Leo to the airport. */
function planAirport(plan: WeekPlan): void {
  const ago = (hours: number) => later(plan.days.now, -hours * hourMs);
  plan.addRide('marcus', plan.days.on(6, '10:20'), ['home13', 'airportNear'], {
    scene: 'marcus.airport',
    publishedAt: ago(26),
    price: { person: 800 },
    seats: 4,
    flexMinutes: 15,
    flight: 'AA1406',
  });
  plan.addRequest('leo', plan.days.on(6, '10:40'), ['home12', 'airportNear'], {
    scene: 'leo.airport',
    publishedAt: ago(9),
    seats: 1,
    offerCents: 1200,
    early: 30,
    late: 30,
    flight: 'AA1406',
    note: 'One suitcase, one instrument case.',
  });
}

/** Ada needs a ride to work tomorrow, and Yesenia has offered her one home. */
function planAdasWeek(plan: WeekPlan): void {
  plan.addRequest('ada', plan.days.on(1, '08:30'), ['home18', 'factory'], { seats: 1, offerCents: 800 });
  // Yesenia takes her home.
  plan.addRide('yesenia', plan.days.on(4, '17:00'), ['factory', 'home16'], {
    scene: 'yesenia.home',
    publishedAt: plan.days.on(-2, '20:10'),
    seats: 3,
    flexMinutes: 15,
    maxDetourMinutes: 15,
  });
  plan.addRequest('ada', plan.days.on(4, '17:05'), ['factory', 'home18'], {
    scene: 'ada.home',
    publishedAt: plan.days.on(-1, '11:40'),
    seats: 1,
    offerCents: null,
    early: 10,
    late: 30,
  });
}

import type { ActionCost } from '../costs/meter.ts';
import { actions, minutesPerDay, type Action, type CellDay } from './draw-day.ts';

/** CPU time in milliseconds, bytes of PostgreSQL's log and rows stored, of one action. */
export type Cost = Pick<ActionCost, 'serverMs' | 'databaseMs' | 'walBytes' | 'rows'>;

/** The measurements that the simulation uses. */
export interface Costs {
  actions: Record<Action, Cost>;
  /** Memory of a process per open connection. */
  socketBytes: number;
  /** The matching index: memory per open ride or request, and its thread's time for a question. */
  offerBytes: number;
  questionMs: number;
  /** The size of a row on disk, its index entries included. */
  rowBytes: number;
}

/** The load of one cell on each part in the minute in which that part has most to do. */
export interface CellLoad {
  people: number;
  web: { cores: number; actionsPerSecond: number; peakAt: string };
  database: { cores: number; actionsPerSecond: number; logMegabytesPerSecond: number; peakAt: string };
  matching: { questionsPerSecond: number; cores: number; openOffers: number; gigabytes: number };
  realtime: { connections: number; gigabytes: number; positionsPerSecond: number; linesPerSecond: number };
  storage: { rowsPerDay: number; gigabytesPerDay: number; logGigabytesPerDay: number };
}

const gigabyte = 1e9;

export function loadOf(day: CellDay, costs: Costs): CellLoad {
  const web = peak(day, costs, 'serverMs');
  const database = peak(day, costs, 'databaseMs');
  const questions = Math.max(...day.counts['find matches']) / 60;
  const openOffers = Math.max(...day.openOffers);
  const connections = Math.max(...day.connected);
  const rowsPerDay = sumOfDay(day, costs, 'rows');
  return {
    people: day.people,
    web: {
      cores: web.perSecond / 1000,
      actionsPerSecond: actionsIn(day, web.minute),
      peakAt: clock(web.minute),
    },
    database: {
      cores: database.perSecond / 1000,
      actionsPerSecond: actionsIn(day, database.minute),
      logMegabytesPerSecond: peak(day, costs, 'walBytes').perSecond / 1e6,
      peakAt: clock(database.minute),
    },
    matching: {
      questionsPerSecond: questions,
      cores: (questions * costs.questionMs) / 1000,
      openOffers,
      gigabytes: (openOffers * costs.offerBytes) / gigabyte,
    },
    realtime: {
      connections,
      gigabytes: (connections * costs.socketBytes) / gigabyte,
      positionsPerSecond: Math.max(...day.counts['a position of the car']) / 60,
      linesPerSecond: Math.max(...day.counts['a chat line to one other person']) / 60,
    },
    storage: {
      rowsPerDay,
      gigabytesPerDay: (rowsPerDay * costs.rowBytes) / gigabyte,
      logGigabytesPerDay: sumOfDay(day, costs, 'walBytes') / gigabyte,
    },
  };
}

/** The minute in which most of something is asked for, and how much of it a second. */
function peak(day: CellDay, costs: Costs, of: keyof Cost): { minute: number; perSecond: number } {
  let found = { minute: 0, perSecond: 0 };
  for (let minute = 0; minute < minutesPerDay; minute++) {
    let sum = 0;
    for (const action of actions) sum += day.counts[action][minute]! * costs.actions[action][of];
    if (sum / 60 > found.perSecond) found = { minute, perSecond: sum / 60 };
  }
  return found;
}

function sumOfDay(day: CellDay, costs: Costs, of: keyof Cost): number {
  let sum = 0;
  for (const action of actions)
    for (const count of day.counts[action]) sum += count * costs.actions[action][of];
  return sum;
}

const actionsIn = (day: CellDay, minute: number): number =>
  actions.reduce((sum, action) => sum + day.counts[action][minute]!, 0) / 60;

const clock = (minute: number): string =>
  `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;

/**
 * Measured by `npm run bench -- costs --count 60` on two cores together with other work (load 4 to 6): upper
 * bounds. A position's share of the server is too small for that measurement and, like what the index needs,
 * an estimate. `--costs` names a file with newer ones.
 */
export const measuredCosts: Costs = {
  actions: {
    'open the app': { serverMs: 14.39, databaseMs: 11.12, walBytes: 317, rows: 0 },
    'publish a ride': { serverMs: 9.01, databaseMs: 6.79, walBytes: 7887, rows: 12 },
    'publish a request': { serverMs: 12.13, databaseMs: 6.76, walBytes: 9341, rows: 8 },
    'find matches': { serverMs: 22.76, databaseMs: 13.71, walBytes: 1196, rows: 0.37 },
    ask: { serverMs: 11.46, databaseMs: 9.26, walBytes: 13_618, rows: 12.92 },
    accept: { serverMs: 7.77, databaseMs: 8.75, walBytes: 17_115, rows: 20.85 },
    'accept, paid': { serverMs: 48.61, databaseMs: 51.48, walBytes: 58_903, rows: 43.13 },
    'a chat line to one other person': { serverMs: 0.21, databaseMs: 0.08, walBytes: 796, rows: 1.01 },
    'reach, pick up, depart': { serverMs: 41.41, databaseMs: 46.07, walBytes: 31_358, rows: 29.15 },
    'a position of the car': { serverMs: 0.2, databaseMs: 0.2, walBytes: 335, rows: 0 },
    arrive: { serverMs: 14.02, databaseMs: 17.97, walBytes: 12_960, rows: 7.6 },
    'arrive, paid': { serverMs: 25.63, databaseMs: 33.07, walBytes: 55_763, rows: 32.87 },
    'review, both': { serverMs: 10.22, databaseMs: 25.18, walBytes: 34_981, rows: 7.63 },
  },
  socketBytes: 11_571,
  offerBytes: 500,
  questionMs: 5,
  rowBytes: 400,
};

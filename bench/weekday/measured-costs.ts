import type { Costs } from './load.ts';

/**
 * Measured by `npm run bench -- costs --count 20` on two cores beside other work, before bookings took fewer
 * statements: upper bounds. A position, and what the index needs, are estimates. `--costs` names newer ones.
 */
export const measuredCosts: Costs = {
  actions: {
    'open the app': { serverMs: 15.43, databaseMs: 21.4, walBytes: 336, rows: 0 },
    'publish a ride': { serverMs: 13.95, databaseMs: 20.92, walBytes: 8151, rows: 11 },
    'publish a request': { serverMs: 20.42, databaseMs: 13.39, walBytes: 10_200, rows: 8 },
    'find matches': { serverMs: 28.33, databaseMs: 10.3, walBytes: 0, rows: 0 },
    ask: { serverMs: 30.44, databaseMs: 26.4, walBytes: 14_722, rows: 13 },
    accept: { serverMs: 30, databaseMs: 39.95, walBytes: 20_423, rows: 24 },
    'accept, paid': { serverMs: 73.64, databaseMs: 79.52, walBytes: 56_943, rows: 44 },
    'a chat line to one other person': { serverMs: 0.22, databaseMs: 0.27, walBytes: 729, rows: 1 },
    'reach, pick up, depart': { serverMs: 66.7, databaseMs: 66.1, walBytes: 35_620, rows: 31 },
    'a position of the car': { serverMs: 1, databaseMs: 1, walBytes: 2000, rows: 0 },
    arrive: { serverMs: 18.72, databaseMs: 38.68, walBytes: 12_757, rows: 8 },
    'arrive, paid': { serverMs: 19.78, databaseMs: 48.74, walBytes: 14_062, rows: 8.8 },
    'review, both': { serverMs: 16.33, databaseMs: 26.8, walBytes: 18_396, rows: 9 },
  },
  socketBytes: 11_571,
  offerBytes: 5900,
  questionMs: 5,
  rowBytes: 400,
};

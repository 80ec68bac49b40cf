import type { Costs } from './load.ts';

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

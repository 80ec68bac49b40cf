import fs from 'node:fs';
import { z } from 'zod';
import { randomFrom } from '../server/testing/random.ts';
import { rounded, say } from './bench-app.ts';
import { positionsPerRide } from './costs/pairs.ts';
import { actions, drawDay, type Action } from './weekday/draw-day.ts';
import { loadOf, type CellLoad, type Costs, measuredCosts } from './weekday/load.ts';

const costsFile = z.object({
  actions: z.array(
    z.object({
      action: z.string(),
      serverMs: z.number(),
      databaseMs: z.number(),
      walBytes: z.number(),
      rows: z.number(),
    }),
  ),
  socketBytes: z.number(),
});

/**
 * A weekday of `--people` (default 1,000,000) in `--cells` (default 4), each with a database of its own: what
 * each part of a cell has to do in its busiest minute, by the costs that `bench costs` measured. `--costs`
 * names a file with the JSON line of another such run; `--crossing` is the share of trips that end in another
 * cell (default 0.03).
 */
export async function benchWeekday(options: Record<string, string>): Promise<Record<string, unknown>> {
  const of = {
    people: Number(options['people'] ?? 1_000_000),
    cells: Number(options['cells'] ?? 4),
    crossing: Number(options['crossing'] ?? 0.03),
  };
  const file = options['costs'];
  const costs = file === undefined ? measuredCosts : costsFrom(file);
  const began = performance.now();
  const days = drawDay({ ...of, random: randomFrom(Number(options['seed'] ?? 1)) });
  const loads = days.map((day) => loadOf(day, costs));
  for (const [cell, load] of loads.entries()) say(`cell ${cell + 1}: ${describe(load)}`);
  const perDay = Object.fromEntries(
    actions.map((action) => [
      action,
      Math.round(days.reduce((sum, day) => sum + total(day.counts[action]), 0)),
    ]),
  );
  return {
    ...of,
    actionsPerDay: perDay,
    cellLoads: loads.map((load) => withRoundedFigures(load)),
    seconds: rounded((performance.now() - began) / 1000),
  };
}

/** Another measurement instead of the committed one; values that it does not measure stay. */
function costsFrom(file: string): Costs {
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  const found = costsFile.parse(JSON.parse(lines.at(-1)!));
  const one = (action: Action) => {
    const isPosition = action === 'a position of the car';
    const named = isPosition ? `positions of the car, ${positionsPerRide}` : action;
    const cost = found.actions.find((each) => each.action === named);
    if (cost === undefined) throw new Error(`${file} does not say what "${named}" costs.`);
    const share = isPosition ? 1 / positionsPerRide : 1;
    return {
      serverMs: cost.serverMs * share,
      databaseMs: cost.databaseMs * share,
      walBytes: cost.walBytes * share,
      rows: cost.rows * share,
    };
  };
  const measured = Object.fromEntries(actions.map((action) => [action, one(action)]));
  return {
    ...measuredCosts,
    actions: measured as Costs['actions'],
    socketBytes: found.socketBytes,
  };
}

const describe = ({ people, web, database, matching, realtime, storage }: CellLoad): string =>
  [
    `${people} people`,
    `web ${rounded(web.cores)} cores at ${web.peakAt}`,
    `database ${rounded(database.cores)} cores and ${rounded(database.logMegabytesPerSecond)} MB of log a second at ${database.peakAt}`,
    `matching ${rounded(matching.questionsPerSecond)} questions a second over ${Math.round(matching.openOffers)} offers, ${rounded(matching.gigabytes)} GB`,
    `${Math.round(realtime.connections)} connections`,
    `${rounded(storage.gigabytesPerDay)} GB a day`,
  ].join('; ');

const total = (minutes: Float64Array): number => minutes.reduce((sum, count) => sum + count, 0);

function withRoundedFigures(load: CellLoad): unknown {
  return JSON.parse(
    JSON.stringify(load, (_, value: unknown) => (typeof value === 'number' ? rounded(value) : value)),
  );
}

// `npm run bench -- NAME [--json] [options]`: measures one part of Sameway and prints what it found.
import { parseArgs } from 'node:util';
import { benchAlerts } from './alerts.ts';
import { benchChat } from './chat.ts';
import { benchCosts } from './costs.ts';
import { benchCountry } from './country.ts';
import { benchCuts } from './cuts.ts';
import { benchEventPlan } from './event-plan.ts';
import { benchEvents } from './events.ts';
import { benchExpiries } from './expiries.ts';
import { benchGrowth } from './growth.ts';
import { benchHistories } from './histories.ts';
import { benchHttp } from './http.ts';
import { benchIdle } from './idle.ts';
import { benchKills } from './kills.ts';
import { benchMatching } from './matching.ts';
import { benchMeetingPoints } from './meeting-points.ts';
import { benchNodes } from './nodes.ts';
import { benchOutage } from './outage.ts';
import { benchPostgis } from './postgis.ts';
import { benchQuality } from './quality.ts';
import { benchRestoreDrill } from './restore-drill.ts';
import { benchRoads } from './roads.ts';
import { benchSearch } from './search.ts';
import { benchSeats } from './seats.ts';
import { benchWeb } from './web.ts';
import { benchWeekday } from './weekday.ts';

const benchmarks: Record<string, (options: Record<string, string>) => Promise<Record<string, unknown>>> = {
  alerts: benchAlerts,
  chat: benchChat,
  costs: benchCosts,
  cuts: benchCuts,
  'event-plan': benchEventPlan,
  events: benchEvents,
  expiries: benchExpiries,
  growth: benchGrowth,
  histories: benchHistories,
  http: benchHttp,
  idle: benchIdle,
  kills: benchKills,
  matching: (of) =>
    of['against'] !== undefined
      ? benchPostgis(of)
      : // On a country where a number of offers is given, else on the region, with a whole server around it.
        of['offers'] === undefined
        ? benchMatching(of)
        : benchCountry(of),
  'meeting-points': benchMeetingPoints,
  nodes: benchNodes,
  outage: benchOutage,
  quality: benchQuality,
  'restore-drill': benchRestoreDrill,
  roads: benchRoads,
  search: benchSearch,
  seats: benchSeats,
  web: benchWeb,
  weekday: benchWeekday,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rides: { type: 'string' },
    requests: { type: 'string' },
    pbf: { type: 'string' },
    seed: { type: 'string' },
    offers: { type: 'string' },
    days: { type: 'string' },
    hours: { type: 'string' },
    nodes: { type: 'string' },
    queries: { type: 'string' },
    checks: { type: 'string' },
    region: { type: 'string' },
    packs: { type: 'string' },
    drivers: { type: 'string' },
    passengers: { type: 'string' },
    asks: { type: 'string' },
    against: { type: 'string' },
    count: { type: 'string' },
    workers: { type: 'string' },
    operations: { type: 'string' },
    runs: { type: 'string' },
    only: { type: 'string' },
    people: { type: 'string' },
    cells: { type: 'string' },
    crossing: { type: 'string' },
    costs: { type: 'string' },
    rate: { type: 'string' },
    seconds: { type: 'string' },
    threads: { type: 'string' },
    scale: { type: 'string' },
    keep: { type: 'string' },
    statements: { type: 'string' },
    minutes: { type: 'string' },
  },
});
const [name = ''] = positionals;
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  process.stderr.write(
    `There is no benchmark "${name}". Choose one of: ${Object.keys(benchmarks).join(', ')}.\n`,
  );
  process.exit(2);
}
const { json, ...options } = values;
const figures = await benchmark(options);
if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
else
  for (const [figure, value] of Object.entries(figures))
    process.stdout.write(`${figure.padEnd(20)} ${String(value)}\n`);

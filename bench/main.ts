// `npm run bench -- NAME [--json] [options]`: measures one part of Sameway and prints what it found.
import { parseArgs } from 'node:util';
import { benchHttp } from './http.ts';
import { benchMatching } from './matching.ts';
import { benchRoads } from './roads.ts';
import { benchSeats } from './seats.ts';

const benchmarks: Record<string, (options: Record<string, string>) => Promise<Record<string, unknown>>> = {
  http: benchHttp,
  matching: benchMatching,
  roads: benchRoads,
  seats: benchSeats,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rides: { type: 'string' },
    requests: { type: 'string' },
    pbf: { type: 'string' },
    seed: { type: 'string' },
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

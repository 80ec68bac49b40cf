// Asks Valhalla for tables of travel times, in a process of its own: it keeps one engine for a process and
// may abort it. Reads a job from the parent and sends the answer back.
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { TableQuestion, ValhallaAnswer, ValhallaJob } from './valhalla.ts';

interface Actor {
  matrix(query: string): Promise<string>;
}

const matrixResponse = z.object({
  sources_to_targets: z.object({ durations: z.array(z.array(z.number().nullable())) }),
});

const coordinates = (points: TableQuestion['from']) => points.map(({ lon, lat }) => ({ lon, lat }));

process.once('message', (job: ValhallaJob) => {
  void answer(job).then((found) => process.send!(found, () => process.disconnect()));
});

async function answer({ modulePath, config, warmUp, tables }: ValhallaJob): Promise<ValhallaAnswer[]> {
  const valhalla = createRequire(import.meta.url)(modulePath) as { Actor: new (config: string) => Actor };
  const actor = new valhalla.Actor(JSON.stringify(config));
  for (const table of warmUp) await actor.matrix(asked(table)).catch(() => null);
  const answers: ValhallaAnswer[] = [];
  for (const table of tables) {
    const question = asked(table);
    const startedAt = performance.now();
    // Its costmatrix refuses a whole table for one pair it finds no way for.
    const response = await actor.matrix(question).catch(() => null);
    const tookMs = performance.now() - startedAt;
    const seconds =
      response === null ? [] : matrixResponse.parse(JSON.parse(response)).sources_to_targets.durations;
    answers.push({ tookMs, seconds });
  }
  return answers;
}

function asked({ from, to }: TableQuestion): string {
  return JSON.stringify({
    sources: coordinates(from),
    targets: coordinates(to),
    costing: 'auto',
    verbose: false,
  });
}

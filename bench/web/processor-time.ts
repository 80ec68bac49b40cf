import { z } from 'zod';

/** The part of a trace that shows how long the page's own thread worked on what. */
const traced = z.object({
  traceEvents: z.array(
    z
      .object({
        name: z.string(),
        ph: z.string(),
        pid: z.number(),
        tid: z.number(),
        ts: z.number(),
        dur: z.number().optional(),
        tdur: z.number().optional(),
        args: z
          .object({ data: z.object({ documentLoaderURL: z.string().optional() }).optional() })
          .loose()
          .optional(),
      })
      .loose(),
  ),
});

/** A task longer than this keeps a tap waiting: what is beyond it counts as blocked. */
const longTaskMs = 50;
const microsecondsPerMs = 1000;

/**
 * The blocked time of a visit by the processor time of its tasks, in milliseconds: of each task of the page's
 * thread after the first contentful paint, what is beyond 50 ms. Lighthouse counts the time on the clock,
 * also while the thread waits for a processor that another process has, and multiplies that as well.
 * @param trace as Chromium records it; times in microseconds
 * @param slowdown how many times as slow the simulated processor is
 */
export function blockedByProcessorMs(trace: unknown, slowdown: number): number {
  const events = traced.parse(trace).traceEvents;
  const start = events.findLast(
    ({ name, args }) =>
      name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith('http') === true,
  );
  const paint = events.find(
    ({ name, pid, ts }) => name === 'firstContentfulPaint' && pid === start?.pid && ts > start.ts,
  );
  if (start === undefined || paint === undefined) throw new Error('The trace has no first paint.');
  const tasks = events
    .filter(
      ({ name, ph, pid, tid, ts }) =>
        name.endsWith('RunTask') && ph === 'X' && pid === start.pid && tid === start.tid && ts >= paint.ts,
    )
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let endsAt = 0;
  let blockedMs = 0;
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    // A task inside another one is part of it.
    if (ts < endsAt) continue;
    endsAt = ts + dur;
    blockedMs += Math.max(0, (tdur / microsecondsPerMs) * slowdown - longTaskMs);
  }
  return blockedMs;
}

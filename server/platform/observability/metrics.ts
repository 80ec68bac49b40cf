import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { setTimeout as sleep } from 'node:timers/promises';
import { secondMs } from '../clock.ts';
import type { Log } from './log.ts';

/** How a call ended: with data, with a refusal that a person can read, or with an internal error. */
export type CallOutcome = 'answered' | 'refused' | 'failed';

/** One value of a gauge, with its labels. */
export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/** A gauge whose value is read with the metrics. */
export interface GaugeSource {
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => readonly Reading[] | Promise<readonly Reading[]>;
}

/** The metrics of this process, in Prometheus' text format. */
export interface Metrics {
  /** Records the end of a call of the contract. @param reason of its refusal, for `refused` */
  noteCall(call: { path: string; outcome: CallOutcome; seconds: number; reason?: string | undefined }): void;
  /** Records one search in the index of open orders. @param seconds in its thread, without the wait for it */
  noteSearch(search: { of: 'rides' | 'requests'; seconds: number }): void;
  /** Records one round of a scheduled task. */
  noteRound(round: { name: string; hasFailed: boolean; seconds: number }): void;
  /** Adds a gauge. Never change its name and labels: boards and rules refer to them. */
  addGauge(source: GaugeSource): void;
  /** All metrics as of now. A gauge that cannot be read in time is left out, and counted. */
  text(): Promise<string>;
}

/** The highest count that a gauge needs. */
export const countedForGauge = 10_000;

/** Records nothing, for processes without a reader of metrics. */
export const noMetrics: Metrics = {
  noteCall() {},
  noteSearch() {},
  noteRound() {},
  addGauge() {},
  text: async () => '',
};

/** Shorter than Prometheus' timeout of ten seconds. */
const readWithinMs = 3 * secondMs;
/** From a cached read to the longest call that is still answered, in seconds. */
const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** From a search among few orders to one that people wait for, in seconds. */
const searchBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const countersIn = (registers: Registry[]) => ({
  calls: new Counter({
    name: 'sameway_calls_total',
    help: 'Calls of the contract, by path and by how they ended.',
    labelNames: ['path', 'outcome'],
    registers,
  }),
  refusals: new Counter({
    name: 'sameway_refusals_total',
    help: 'Refused calls, by the reason that the caller was told.',
    labelNames: ['reason'],
    registers,
  }),
  durations: new Histogram({
    name: 'sameway_call_duration_seconds',
    help: 'How long calls of the contract took, from the head of the request to the answer.',
    labelNames: ['path'],
    buckets: callBuckets,
    registers,
  }),
  searches: new Histogram({
    name: 'sameway_search_duration_seconds',
    help: 'How long searches took in a matching thread of this process, without their wait for it.',
    labelNames: ['of'],
    buckets: searchBuckets,
    registers,
  }),
  rounds: new Counter({
    name: 'sameway_scheduled_rounds_total',
    help: 'Rounds of scheduled tasks and lanes in this process, by how they ended.',
    labelNames: ['name', 'outcome'],
    registers,
  }),
  roundSeconds: new Counter({
    name: 'sameway_scheduled_seconds_total',
    help: 'Time that rounds of scheduled tasks and lanes took in this process.',
    labelNames: ['name'],
    registers,
  }),
  unread: new Counter({
    name: 'sameway_unread_gauges_total',
    help: 'Gauges that were not read in time, or failed to be, by name.',
    labelNames: ['gauge'],
    registers,
  }),
});

export function createMetrics(log: Log): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { calls, refusals, durations, searches, rounds, roundSeconds, unread } = countersIn([registry]);

  async function readInTime({ name, read }: GaugeSource): Promise<readonly Reading[]> {
    try {
      const late = sleep(readWithinMs, null, { ref: false });
      const readings = await Promise.race([Promise.resolve(read()), late]);
      if (readings !== null) return readings;
      log.warn({ gauge: name }, 'a gauge was not read in time');
    } catch (error) {
      log.warn({ err: error, gauge: name }, 'a gauge cannot be read');
    }
    unread.inc({ gauge: name });
    return [];
  }

  return {
    noteCall({ path, outcome, seconds, reason }) {
      calls.inc({ path, outcome });
      // Prometheus sees the first error as an increase only if there was a zero before it.
      calls.inc({ path, outcome: 'failed' }, 0);
      durations.observe({ path }, seconds);
      if (reason !== undefined) refusals.inc({ reason });
    },
    noteSearch({ of, seconds }) {
      searches.observe({ of }, seconds);
    },
    noteRound({ name, hasFailed, seconds }) {
      rounds.inc({ name, outcome: 'done' }, hasFailed ? 0 : 1);
      rounds.inc({ name, outcome: 'failed' }, hasFailed ? 1 : 0);
      roundSeconds.inc({ name }, seconds);
    },
    addGauge(source) {
      const { name, help, labels: labelNames = [] } = source;
      const gauge = new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [],
        async collect() {
          const readings = await readInTime(source);
          this.reset();
          // A gauge without labels would start at 0, which is not a value that was read.
          if (readings.length === 0 && labelNames.length === 0) this.remove();
          for (const { labels = {}, value } of readings) this.set(labels, value);
        },
      });
      registry.registerMetric(gauge);
    },
    text: () => registry.metrics(),
  };
}

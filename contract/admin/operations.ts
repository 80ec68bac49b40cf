import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { deliveryTasks } from '../notifications/endpoints.ts';
import { instant, mostOfOne, words } from '../units.ts';

export const settingSources = ['default', 'environment', 'file'] as const;

export const shownSetting = z.object({
  name: z.string(),
  /** Null for secrets and unset settings. Addresses come without user, password and query. */
  value: z.string().nullable(),
  isSecret: z.boolean(),
  source: z.enum(settingSources),
});
export type ShownSetting = z.output<typeof shownSetting>;

/** The backups of the installation, as every process knows them. */
export const backupState = z.object({
  /** When the last complete one was made; null before the first. */
  last: instant.nullable(),
  /** The failures in a row since then: how many, the latest, its error, and when the next one is tried. */
  failure: z
    .object({
      tries: z.number().int().min(1).max(1_000_000),
      at: instant,
      reason: z.string().max(300),
      next: instant,
    })
    .nullable(),
});

export const maintenanceState = z.object({ message: z.string(), since: instant });

export const readSettings = defineEndpoint({
  method: 'GET',
  path: '/admin/settings',
  who: 'admin',
  permission: 'settings.read',
  summary:
    'The settings of the process that answers, the source of each, whether Sameway is closed for maintenance, and the state of its backups.',
  input: z.object({}),
  output: z.object({
    /** The process: its release, its Node version and its roles. */
    release: z.string(),
    node: z.string(),
    roles: z.array(z.string()).max(10),
    settings: z.array(shownSetting).max(mostOfOne),
    /** Null if Sameway is open. */
    maintenance: maintenanceState.nullable(),
    /** Null if no process has ever checked for a backup: none was set up. */
    backup: backupState.nullable(),
  }),
  refusals: [],
});

export const changeMaintenance = defineEndpoint({
  method: 'POST',
  path: '/admin/maintenance',
  who: 'admin',
  permission: 'maintenance.change',
  summary: 'Closes Sameway for maintenance in every process, with or without a message, or opens it again.',
  limits: [{ countedAs: 'maintenance', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({ isOn: z.boolean(), message: words(500).default('') }),
  output: z.object({ maintenance: maintenanceState.nullable() }),
  refusals: [],
});

const count = z.number().int().min(0);
const ageMs = z.number().int().min(0);

/** Jobs and the operations that a listener is behind are counted up to this. */
export const mostJobsCounted = 10_000;
export const mostUnheardCounted = 1000;

/** The jobs of one task. */
export const jobCounts = z.object({
  task: z.enum(deliveryTasks),
  /** Not tried yet, or in hand for the first time. */
  waiting: count,
  /** Tried in vain, and due again. */
  retrying: count,
  /** Given up after the last attempt: the undelivered ones, until an admin repeats or discards them. */
  failed: count,
  /** The age of the oldest that waits or is retried; null where none is. */
  oldestMs: ageMs.nullable(),
  /** The code or class of the latest error, such as `ECONNREFUSED` or `550`; null for none. */
  lastError: z.string().nullable(),
});
export type JobCounts = z.output<typeof jobCounts>;

/** How far a listener of the event log is behind. */
export const listenerLag = z.object({
  listener: z.string(),
  /** Operations, each with all of its signals. */
  unheard: count,
  /** The age of the oldest of them; 0 where there is none. */
  lagMs: ageMs,
});
export type ListenerLag = z.output<typeof listenerLag>;

export const readQueue = defineEndpoint({
  method: 'GET',
  path: '/admin/queue',
  who: 'admin',
  permission: 'deliveries.read',
  summary: `Jobs by task (waiting, retrying, failed; counted up to ${mostJobsCounted}), and how far each listener of the event log is behind (counted up to ${mostUnheardCounted}), the slowest first.`,
  input: z.object({}),
  output: z.object({
    jobs: z.array(jobCounts).max(deliveryTasks.length),
    listeners: z.array(listenerLag).max(mostOfOne),
  }),
  refusals: [],
});

import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
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

export const maintenanceState = z.object({ message: z.string(), since: instant });

export const readSettings = defineEndpoint({
  method: 'GET',
  path: '/admin/settings',
  who: 'admin',
  permission: 'settings.read',
  summary:
    'The settings of the process that answers, the source of each, and whether Sameway is closed for maintenance.',
  input: z.object({}),
  output: z.object({
    /** The process: its release, its Node version and its roles. */
    release: z.string(),
    node: z.string(),
    roles: z.array(z.string()).max(10),
    settings: z.array(shownSetting).max(mostOfOne),
    /** Null if Sameway is open. */
    maintenance: maintenanceState.nullable(),
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

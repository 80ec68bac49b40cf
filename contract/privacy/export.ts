import { z } from 'zod';
import { daySeconds, defineEndpoint, hourSeconds } from '../define.ts';
import { instant } from '../units.ts';

/** Of a person's export: being made, there to be downloaded, or not made although it was tried again. */
export const exportStates = ['preparing', 'ready', 'failed'] as const;

const exportState = z.object({
  /** `none`: never asked for, or gone since. */
  state: z.enum(['none', ...exportStates]),
  askedAt: instant.nullable(),
  /** When the archive is deleted; null unless it is ready. */
  expiresAt: instant.nullable(),
  bytes: z.number().int(),
});
export type ExportState = z.output<typeof exportState>;

export const startExport = defineEndpoint({
  method: 'POST',
  path: '/user/start-export',
  who: 'user',
  stepUp: true,
  summary:
    'Asks for an archive of all data about the person, which is made in the background; joins one that is being made. The person is notified when it is ready.',
  limits: [{ countedAs: 'export', per: 'caller', most: 5, withinSeconds: daySeconds }],
  input: z.object({}),
  output: exportState,
  refusals: [],
});

export const readExport = defineEndpoint({
  method: 'GET',
  path: '/user/export-state',
  who: 'user',
  summary: 'How far the archive of all data about the person is.',
  input: z.object({}),
  output: exportState,
  refusals: [],
});

export const exportData = defineEndpoint({
  method: 'GET',
  path: '/user/export',
  who: 'user',
  stepUp: true,
  summary:
    'The archive of all data about the person, a ZIP file of JSON and pictures, at an address that is valid for five minutes; after `/user/start-export` has made it.',
  limits: [{ per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({}),
  output: z.object({ fileName: z.string(), bytes: z.number().int(), address: z.string() }),
  refusals: ['privacy.exportNotReady'],
});

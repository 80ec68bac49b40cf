import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { instant } from '../units.ts';

/** Events that an operator checks after an attack. */
export const securityEvents = [
  'signedIn',
  'signInFailed',
  'codeRefused',
  'tokenRefused',
  'forbidden',
  'rateLimited',
  'webhookForged',
  'factorRefused',
  'factorChanged',
  'keyRefused',
] as const;
export type SecurityEvent = (typeof securityEvents)[number];

const count = z.number().int();

export const securityCount = z.object({
  event: z.enum(securityEvents),
  /** Counted by whole hours: this one and the one before, the last 24 hours, the last seven days. */
  lately: count,
  day: count,
  week: count,
  lastAt: instant.nullable(),
});
export type SecurityCount = z.output<typeof securityCount>;

export const securityFigures = defineEndpoint({
  method: 'GET',
  path: '/admin/security',
  who: 'admin',
  permission: 'log.read',
  summary:
    'Counts of security events: sign-ins, rejected codes and tokens, rate limits hit, forged webhooks.',
  input: z.object({}),
  output: z.object({ counts: z.array(securityCount).max(securityEvents.length) }),
  refusals: [],
});

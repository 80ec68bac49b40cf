import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { instant, mostPerPage } from '../units.ts';

export const readOutbox = defineEndpoint({
  method: 'GET',
  path: '/demo/outbox',
  who: 'guest',
  summary: 'Emails written while no mail server is configured, newest first. Not available in production.',
  input: z.object({}),
  output: z.object({
    letters: z
      .array(
        z.object({
          id: z.string(),
          to: z.string(),
          subject: z.string(),
          text: z.string(),
          /** The rendered email, HTML; null for a text message. */
          page: z.string().nullable(),
          at: z.iso.datetime(),
        }),
      )
      .max(mostPerPage),
  }),
  refusals: [],
});

export const moveClock = defineEndpoint({
  method: 'POST',
  path: '/demo/clock',
  who: 'guest',
  summary: 'Moves the demo’s clock forward to an instant, or back to the real time (null). Demo only.',
  input: z.object({ to: instant.nullable() }),
  output: z.object({ now: z.iso.datetime() }),
  refusals: ['clock.backwards'],
});

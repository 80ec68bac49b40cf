import { z } from 'zod';
import { fieldErrors, type Envelope } from '#contract/envelope.ts';

/** What a refusal says of each field. @throws ZodError where the answer names no fields. */
export const refusedFields = ({ data }: Envelope<unknown>): Record<string, string> =>
  z.object({ fields: fieldErrors }).parse(data).fields;

/** After how many seconds a call that was made too often may be tried again. @throws ZodError where the answer says no time. */
export const retryAfter = ({ data }: Envelope<unknown>): number =>
  z.object({ retryAfterSeconds: z.number() }).parse(data).retryAfterSeconds;

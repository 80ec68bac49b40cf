import { z } from 'zod';
import { envelopeOf, fieldErrors, type Envelope } from '#contract/envelope.ts';

const anyEnvelope = envelopeOf(z.unknown());

/**
 * The answer of a call as it came over HTTP; its data is still to be parsed.
 * @throws ZodError where it is no envelope.
 */
export const readEnvelope = (answer: unknown): Envelope<unknown> => anyEnvelope.parse(answer);

/** A refusal's sentence for each field. @throws ZodError where the answer names no fields. */
export const refusedFields = ({ data }: Envelope<unknown>): Record<string, string> =>
  z.object({ fields: fieldErrors }).parse(data).fields;

/**
 * After how many seconds a call that was made too often may be tried again.
 * @throws ZodError where the answer says no time.
 */
export const retryAfter = ({ data }: Envelope<unknown>): number =>
  z.object({ retryAfterSeconds: z.number() }).parse(data).retryAfterSeconds;

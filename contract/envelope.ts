import { z } from 'zod';

/** The body of every answer, sent with HTTP 200. `code` 200 is success; `reason` is a stable dotted word. */
export interface Envelope<T> {
  code: AnswerCode;
  info: string;
  reason?: string;
  data?: T;
}

/** 400 means "no valid session" and nothing else: a client that reads it goes to the sign-in page. */
export const answerCodes = [200, 400, 403, 404, 409, 422, 429] as const;
export type AnswerCode = (typeof answerCodes)[number];

/** The refused fields and the reason of each, keyed by the field's dotted path in the request. */
export const fieldErrors = z.record(z.string(), z.string());

/** Wraps a data schema into the envelope published in the OpenAPI document. */
export function envelopeOf<T extends z.ZodType>(data: T) {
  return z.object({
    code: z.union(answerCodes.map((code) => z.literal(code))),
    info: z.string(),
    reason: z.string().optional(),
    data: z
      .union([
        data,
        z.object({ fields: fieldErrors }),
        z.object({ retryAfterSeconds: z.number() }),
        z.record(z.string(), z.unknown()),
      ])
      .optional(),
  });
}

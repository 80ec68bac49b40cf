import type { AnswerCode, Envelope } from '#contract/envelope.ts';

/**
 * A call that is answered with something else than success: thrown by services, made into the envelope in one
 * place. `reason` is the stable dotted word, `info` English prose for a person.
 */
export class Refusal extends Error {
  readonly reason: string;
  readonly code: AnswerCode;
  readonly data: Record<string, unknown> | undefined;

  constructor(
    reason: string,
    info: string,
    options: { code?: AnswerCode; data?: Record<string, unknown> } = {},
  ) {
    super(info);
    this.reason = reason;
    this.code = options.code ?? 422;
    this.data = options.data;
  }
}

/** The envelope that tells a refusal. */
export const refusedEnvelope = ({ code, message, reason, data }: Refusal): Envelope<never> => ({
  code,
  info: message,
  reason,
  ...(data === undefined ? {} : { data: data as never }),
});

/**
 * The input is refused because of one or more fields; each gets its sentence; `facts` are what the web words
 * it from.
 */
export function refuseField(
  reason: string,
  field: string,
  info: string,
  facts: Record<string, unknown> = {},
): Refusal {
  return new Refusal(reason, info, { data: { fields: { [field]: info }, ...facts } });
}

/** No such thing, or not this person's to see; never tells which. */
export const notFound = (reason: string, info = 'We couldn’t find this.') =>
  new Refusal(reason, info, { code: 404 });

/** Another person was faster, or the state has moved on. */
export const movedOn = (reason: string, info: string, data?: Record<string, unknown>) =>
  new Refusal(reason, info, { code: 409, data });

export const noSession = () => new Refusal('session.missing', 'Please sign in.', { code: 400 });
export const notAllowed = () => new Refusal('access.denied', 'You’re not allowed to do this.', { code: 403 });
export const tooMany = (retryAfterSeconds: number) =>
  new Refusal('rate.limited', `Too many tries. Please wait ${retryAfterSeconds} seconds.`, {
    code: 429,
    data: { retryAfterSeconds },
  });
/**
 * The database, or what another person does with the same thing, holds this up: the same may well work in a
 * moment.
 */
export const busy = () =>
  new Refusal('server.busy', 'Sameway is very busy right now. Please try again in a moment.', {
    code: 429,
    data: { retryAfterSeconds: 2 },
  });

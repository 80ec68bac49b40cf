export type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/**
 * An error as the API words it. Thrown, it undoes what the request did; returned by a handler it leaves the
 * changes, as a declined charge leaves its payment intent changed.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the answer is stored under the idempotency key. */
  readonly isKept: boolean = true;

  constructor(
    status: number,
    type: ErrorType,
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.fields = fields;
  }

  get body(): { error: Record<string, unknown> } {
    return { error: { message: this.message, type: this.type, ...this.fields } };
  }
}

/** The error of a request that never began: asked again with the same key, it is answered afresh. */
export class UnstartedError extends ApiError {
  override readonly isKept = false;
}

/** A parameter that is wrong by itself. */
export const badParameter = (code: string, param: string, message: string): ApiError =>
  new UnstartedError(400, 'invalid_request_error', message, { code, param });

/** What the request asks cannot be done now. */
export const notNow = (code: string, message: string, fields: Record<string, unknown> = {}): ApiError =>
  new ApiError(400, 'invalid_request_error', message, { code, ...fields });

export const noSuch = (kind: string, id: string, param: string, status = 400): ApiError =>
  new UnstartedError(status, 'invalid_request_error', `No such ${kind.replaceAll('_', ' ')}: '${id}'`, {
    code: 'resource_missing',
    param,
  });

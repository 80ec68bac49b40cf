import type { AuthorizationRow } from './store.ts';

/** The idempotency key of one request to the provider: the same until the provider refuses. */
export const keyFor = ({ id, keysUsed }: AuthorizationRow, request: string): string =>
  keysUsed === 0 ? `${id}:${request}` : `${id}:${request}:${keysUsed}`;

import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceSpan } from './traces.ts';

/** A running request of a person, over HTTP or a socket. */
export interface RequestTrace {
  /** The id from the browser; safe to use in a log, an SQL comment and a name. */
  id: string;
  /** Null if it is not traced. */
  span: TraceSpan | null;
}

const current = new AsyncLocalStorage<RequestTrace>();

export const requestUnderWay = (): RequestTrace | undefined => current.getStore();

export const inRequest = <T>(request: RequestTrace, work: () => T): T => current.run(request, work);

/** With a word before it, it fits into the length of a name in PostgreSQL. */
const soundId = /^[A-Za-z0-9-]{8,48}$/;

/** The id from a browser or proxy if it is safe, otherwise a new one. */
export const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && soundId.test(header) ? header : crypto.randomUUID();

import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceSpan } from './traces.ts';

/** The request of a person that is under way, over HTTP or a socket. */
export interface RequestTrace {
  /** The one that the browser has given it; safe to stand in a log, a comment of SQL and a name. */
  id: string;
  /** Null where it is not traced. */
  span: TraceSpan | null;
}

const current = new AsyncLocalStorage<RequestTrace>();

export const requestUnderWay = (): RequestTrace | undefined => current.getStore();

export const inRequest = <T>(request: RequestTrace, work: () => T): T => current.run(request, work);

/** As short as a name in PostgreSQL may be, with a word before it. */
const soundId = /^[A-Za-z0-9-]{8,48}$/;

/** The id that a browser or a proxy sends, where it can be kept as it is; else a new one. */
export const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && soundId.test(header) ? header : crypto.randomUUID();

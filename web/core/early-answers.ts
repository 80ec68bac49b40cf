import type { SessionUser } from '#contract/access/endpoints.ts';
import type { Endpoint } from '#contract/define.ts';
import { knownAnswer } from './known-answers.ts';
import { newId } from './new-id.ts';
import { readAddress, signed } from './read-address.ts';
import { inputOfRead, type Read } from './read-of-page.ts';
import { isSignedIn, readSession } from './session.ts';

/*
 * Reads that started before the app's libraries loaded (web/app/early-reads.ts). The page's own call uses the
 * answer, once, if the same person makes it.
 */

interface EarlyAnswer {
  accessToken: string;
  response: Promise<Response>;
  stop: AbortController;
}

const early = new Map<string, EarlyAnswer>();
/** Addresses that calls have requested themselves: these are not started early any more. */
const askedByCalls = new Set<string>();
/** A token that expires this soon is renewed before any call. */
const leastTokenMs = 30_000;
/** How long an early answer counts as fresh. */
const longestMs = 20_000;
let isOver = false;

/** Whether a person may make a call: guests do not start calls that need a session. */
export function mayRead({ who }: Pick<Endpoint, 'who'>, user: SessionUser): boolean {
  if (who === 'guest') return true;
  return isSignedIn(user) && !user.profileMissing && (who !== 'admin' || user.staffRole !== null);
}

/** Starts these reads as the person who is signed in. */
export function startEarly(reads: readonly Read[]): void {
  const user = readSession();
  if (isSignedIn(user) && user.expiresAt - Date.now() < leastTokenMs) return;
  const accessToken = isSignedIn(user) ? user.accessToken : '';
  isOver = false;
  askedByCalls.clear();
  startAll(reads, user, accessToken);
  setTimeout(endEarly, longestMs);
}

/** Called at a change: from here on no read starts early, and earlier answers are not used. */
export function endEarly(): void {
  isOver = true;
  early.clear();
  askedByCalls.clear();
}

function startAll(reads: readonly Read[], user: SessionUser, accessToken: string): void {
  for (const each of reads) {
    const input = inputOfRead(each);
    const address = readAddress(each.endpoint.path, input);
    if (isOver || askedByCalls.has(address) || !mayRead(each.endpoint, user)) continue;
    const response = start(each.endpoint.path, input, accessToken);
    const { follow } = each;
    if (follow === undefined) continue;
    void dataOf(response).then((data) => {
      if (data !== null) startAll(follow(data, user.id), user, accessToken);
    });
  }
}

/** The data of an answer; null if it failed or has nothing new. */
async function dataOf(response: Promise<Response>): Promise<unknown> {
  try {
    const answer = (await response).clone();
    const { code, data } = (await answer.json()) as { code?: number; data?: unknown };
    return code === 200 ? (data ?? null) : null;
  } catch {
    return null;
  }
}

function start(
  path: string,
  input: Readonly<Record<string, unknown>>,
  accessToken: string,
): Promise<Response> {
  const address = readAddress(path, input);
  const stop = new AbortController();
  const response = fetch(readAddress(path, signed(input, Date.now())), {
    headers: readHeaders(accessToken, knownAnswer(address)?.tag),
    signal: stop.signal,
    cache: 'no-store',
  });
  // The page's own call repeats a failed read.
  response.catch(() => {});
  early.set(address, { accessToken, response, stop });
  return response;
}

/** The headers of a read. */
export const readHeaders = (accessToken: string, tag: string | undefined): Record<string, string> => ({
  Accept: 'application/json',
  // The server's log and database show this id.
  'X-Request-Id': newId(),
  ...(accessToken === '' ? {} : { Authorization: `Bearer ${accessToken}` }),
  ...(tag === undefined ? {} : { 'If-None-Match': tag }),
});

/** The answer to a read that has already started; undefined for none. */
export function takeEarly(
  address: string,
  accessToken: string,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const found = early.get(address);
  if (found === undefined || found.accessToken !== accessToken) {
    if (!isOver) askedByCalls.add(address);
    return undefined;
  }
  early.delete(address);
  signal.addEventListener('abort', () => found.stop.abort(), { once: true });
  return found.response;
}

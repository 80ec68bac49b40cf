import type { SessionUser } from '#contract/access/endpoints.ts';
import type { Endpoint } from '#contract/define.ts';
import { knownAnswer } from './known-answers.ts';
import { newId } from './new-id.ts';
import { readAddress, signed } from './read-address.ts';
import { inputOfRead, type Read } from './read-of-page.ts';
import { isSignedIn, readSession } from './session.ts';

/*
 * Reads that are on their way before the app's libraries have arrived (web/app/early-reads.ts). The call that
 * is made for the page takes up the answer, once, where it is asked by the same person.
 */

interface EarlyAnswer {
  accessToken: string;
  response: Promise<Response>;
  stop: AbortController;
}

const early = new Map<string, EarlyAnswer>();
/** What calls have asked for by themselves so far: it is not asked for once more. */
const askedByCalls = new Set<string>();
/** A token that ends this soon is renewed before anything is asked with it. */
const leastTokenMs = 30_000;
/** What no call has taken up by then is not new any more. */
const longestMs = 20_000;
let isOver = false;

/** Whether a person may make a call at all: what only a person may do is not asked for a guest. */
export function mayRead({ who }: Pick<Endpoint, 'who'>, user: SessionUser): boolean {
  if (who === 'guest') return true;
  return isSignedIn(user) && !user.profileMissing && (who !== 'admin' || user.staffRole !== null);
}

/** Asks the server for these reads as the person who is signed in. */
export function startEarly(reads: readonly Read[]): void {
  const user = readSession();
  if (isSignedIn(user) && user.expiresAt - Date.now() < leastTokenMs) return;
  const accessToken = isSignedIn(user) ? user.accessToken : '';
  isOver = false;
  askedByCalls.clear();
  startAll(reads, user, accessToken);
  setTimeout(endEarly, longestMs);
}

/** For a change: nothing is asked early from here on, and what was asked before it is not taken up. */
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

/** What an answer has brought; null where it has not come, or brings nothing new. */
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
  // What fails is asked again by the call that wants it.
  response.catch(() => {});
  early.set(address, { accessToken, response, stop });
  return response;
}

/** What a read says besides its address. */
export const readHeaders = (accessToken: string, tag: string | undefined): Record<string, string> => ({
  Accept: 'application/json',
  // The server's log and its database name the call by it.
  'X-Request-Id': newId(),
  ...(accessToken === '' ? {} : { Authorization: `Bearer ${accessToken}` }),
  ...(tag === undefined ? {} : { 'If-None-Match': tag }),
});

/** The answer to a read that is on its way already; undefined for none. */
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

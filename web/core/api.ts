import { refreshToken, type SessionUser } from '#contract/access/endpoints.ts';
import type { Endpoint, InputOf, OutputOf } from '#contract/define.ts';
import { toast } from '../ui/toasts.tsx';
import { now } from './clock.ts';
import { device } from './device/this-device.ts';
import { endEarly, readHeaders, takeEarly } from './early-answers.ts';
import { errorWords, Offline, Refused, ServerTrouble } from './errors.ts';
import { loadRefusalWords } from './i18n.ts';
import { keepAnswer, knownAnswer } from './known-answers.ts';
import { newId } from './new-id.ts';
import { readAddress, signed } from './read-address.ts';
import { guest, isSignedIn, readSession, rereadSession, signIn, signOut } from './session.ts';

const timeoutMs = 60_000;
/** A token that ends this soon is refreshed before it is used, so that it does not end on the way. */
const refreshAheadMs = 30_000;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /**
   * A POST's own key; give the same one when the same action is tried again, and it is done only once. Empty
   * for none.
   */
  idempotencyKey?: string;
  /** No toast: the caller shows the error itself. May depend on the error. */
  quiet?: boolean | ((error: unknown) => boolean);
  /** A POST that is made while the phone app is behind others too. */
  inBackground?: boolean;
}

type SignedOutHandler = () => void;
let onSignedOut: SignedOutHandler = () => {};

/** What to do when the server no longer knows the session (body code 400): go to the auth page. */
export function whenSignedOut(handler: SignedOutHandler): void {
  onSignedOut = handler;
}

/** Provides what a refused call lacks; true if the call can be repeated. */
let provide: (reason: string) => Promise<boolean> = async () => false;

/** What to do if a call is not allowed yet: confirming the identity may allow it. */
export function whenNotAllowed(handler: typeof provide): void {
  provide = handler;
}

async function send(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  accessToken: string,
  options: CallOptions,
): Promise<unknown> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal;

  let fetched: Fetched;
  try {
    fetched =
      endpoint.method === 'GET'
        ? await read(endpoint.path, input, { accessToken, signal })
        : await post(endpoint.path, input, { accessToken, signal }, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Offline(late.signal.aborted);
  } finally {
    // Nothing of a call stays once it has been answered.
    clearTimeout(timer);
  }
  return readAnswer(fetched.status, fetched.contentType, fetched.body);
}

interface Sent {
  accessToken: string;
  signal: AbortSignal;
}

interface Fetched {
  status: number;
  contentType: string;
  body: string;
}

const fetchedFrom = async (response: Response): Promise<Fetched> => ({
  status: response.status,
  contentType: response.headers.get('content-type') ?? '',
  body: await response.text(),
});

async function post(
  path: string,
  input: Record<string, unknown>,
  { accessToken, signal }: Sent,
  { idempotencyKey = newId(), inBackground = false }: CallOptions,
): Promise<Fetched> {
  endEarly();
  const headers = { ...readHeaders(accessToken, undefined), 'Content-Type': 'application/json' };
  const body = { ...signed(input, now()), idempotencyKey };
  return fetchedFrom(
    inBackground
      ? await device().post(path, { headers, signal, body })
      : await fetch(path, { method: 'POST', headers, signal, body: JSON.stringify(body) }),
  );
}

/** Reads an address. Where the server says that nothing has changed, the last answer counts. */
async function read(
  path: string,
  input: Record<string, unknown>,
  { accessToken, signal }: Sent,
): Promise<Fetched> {
  const address = readAddress(path, input);
  const known = knownAnswer(address);
  const ask = () =>
    fetch(readAddress(path, signed(input, now())), {
      headers: readHeaders(accessToken, known?.tag),
      signal,
      cache: 'no-store',
    });
  const response = await (takeEarly(address, accessToken, signal)?.catch(ask) ?? ask());
  if (known !== undefined && response.status === 304)
    return { status: 200, contentType: 'application/json', body: known.body };
  const fetched = await fetchedFrom(response);
  const tag = response.headers.get('etag');
  if (tag !== null && fetched.status === 200) keepAnswer(address, { tag, body: fetched.body });
  return fetched;
}

/** The data of an answer, however it was fetched. @throws Refused, ServerTrouble */
export function readAnswer(status: number, contentType: string, body: string): unknown {
  if (status !== 200) {
    // A gateway's error page is no sentence for a person.
    throw new ServerTrouble(status, contentType.startsWith('text/plain') ? body.slice(0, 200) : '');
  }
  const answer = readEnvelope(body);
  if (answer.code !== 200) throw new Refused(answer);
  return answer.data;
}

function readEnvelope(body: string): { code: number; info: string; reason?: string; data?: unknown } {
  try {
    const answer: unknown = JSON.parse(body);
    if (
      typeof answer === 'object' &&
      answer !== null &&
      'code' in answer &&
      typeof answer.code === 'number'
    ) {
      return { info: '', ...answer, code: answer.code };
    }
  } catch {
    // Falls through: a proxy's page instead of the server's answer.
  }
  throw new ServerTrouble(200, '');
}

let refreshing: Promise<SessionUser> | null = null;

/**
 * Trades the session's refresh token for a fresh pair, once however many calls need it, in this tab and
 * all others: using a refresh token twice would end the session.
 */
function refresh(stale: string): Promise<SessionUser> {
  refreshing ??= exclusively(async () => {
    const kept = rereadSession();
    if (!isSignedIn(kept) || kept.accessToken !== stale) return kept;
    try {
      const fresh = await send(refreshToken, { refreshToken: kept.refreshToken }, '', {});
      const user = fresh as SessionUser;
      signIn(user);
      return user;
    } catch (error) {
      // Too many tries, say, is no reason to sign a person out: the session stays.
      if (error instanceof Refused && (error.code === 400 || error.reason === 'access.suspended')) {
        signOut();
        // Signed out by an admin: the person reads why, and is not only asked to sign in again.
        if (error.reason === 'access.suspended') {
          await loadRefusalWords();
          toast.trouble(errorWords(error));
        }
        return guest;
      }
      throw error;
    }
  }).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/**
 * Reads the session user again, after a change of which the server alone knows all parts: the region of a
 * phone number.
 */
export async function renewSession(): Promise<void> {
  const user = readSession();
  // Without a connection the next renewal brings it.
  if (isSignedIn(user)) await refresh(user.accessToken).catch(() => {});
}

/** Web locks are missing on plain http addresses other than localhost; a single tab is then still safe. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('sameway.refresh', work) : work();
}

/** The access token to use now, refreshed first where it is about to end; empty for a guest. */
export async function freshAccessToken(): Promise<string> {
  const user = readSession();
  if (!isSignedIn(user)) return '';
  if (user.expiresAt - now() > refreshAheadMs) return user.accessToken;
  return (await refresh(user.accessToken)).accessToken;
}

/**
 * Makes one call of the contract.
 * @throws Refused when the server says no, ServerTrouble for a non-200 HTTP status, Offline when nothing came
 *   back. Failures are shown as a toast here (3 s a refusal, 8 s server trouble) unless `quiet`; a lost
 *   session leads to the auth page and back.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  const key = options.idempotencyKey ?? newId();
  const attempt = () =>
    withToken((token) => send(endpoint, input, token, { ...options, idempotencyKey: key })) as Promise<
      OutputOf<E>
    >;
  try {
    return await attempt().catch(async (error: unknown) => {
      if (error instanceof Refused && error.code === 403 && (await provide(error.reason))) return attempt();
      throw error;
    });
  } catch (error) {
    report(endpoint, error, options);
    throw error;
  }
}

/**
 * Tries with the access token as it is, and once more with a fresh one where the server does not know it any
 * more.
 */
export async function withToken<T>(attempt: (token: string) => Promise<T>): Promise<T> {
  const token = await freshAccessToken();
  try {
    return await attempt(token);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await loadRefusalWords();
    if (error.code !== 400) throw error;
    // The server may have ended the token early (its clock was moved, another tab refreshed): one fresh try.
    const fresh = token === '' ? '' : (await refresh(token)).accessToken;
    if (fresh === '') throw error;
    return attempt(fresh);
  }
}

/** Shows a failure as the person should see it; a lost session leads to the auth page. */
export function report(endpoint: Endpoint, error: unknown, options: CallOptions): void {
  if (options.signal?.aborted) return;
  if (error instanceof Refused && error.code === 400) {
    signOut();
    onSignedOut();
    return;
  }
  const quiet = typeof options.quiet === 'function' ? options.quiet(error) : options.quiet === true;
  if (quiet) return;
  // A screen that cannot be read says so itself, and the banner tells of the lost connection.
  if (error instanceof Offline && endpoint.method === 'GET') return;
  const words = errorWords(error);
  if (error instanceof ServerTrouble) toast.trouble(words);
  else toast.error(words);
}

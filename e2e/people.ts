import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { readEnvelope, retryAfter } from '../server/testing/envelopes.ts';

/** Where the server of this worker listens: each has one of its own, because journeys move the clock. */
export const serverUrl = (): string =>
  (process.env['E2E_URL'] ?? '').split(' ')[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)] ?? '';

/** A person who has signed up, with a browser window of their own and a way to make calls. */
export interface Person {
  name: string;
  context: BrowserContext;
  page: Page;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
}

/** Asks until the server no longer says "too many": all journeys come from one address. */
async function answered<T>(ask: () => Promise<Response>): Promise<T> {
  for (;;) {
    const envelope = readEnvelope(await (await ask()).json());
    const seconds = envelope.code === 429 ? retryAfter(envelope) : 0;
    if (seconds > 0 && seconds <= mostSecondsWaited) {
      await sleep(seconds * 1000);
      continue;
    }
    expect(envelope, envelope.info).toMatchObject({ code: 200 });
    return envelope.data as T;
  }
}
const mostSecondsWaited = 70;

export async function post<T>(path: string, body: object, token = ''): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  };
  return answered(() => fetch(serverUrl() + path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

export async function get<T>(path: string, token = ''): Promise<T> {
  return answered(() =>
    fetch(serverUrl() + path, { headers: token === '' ? {} : { authorization: `Bearer ${token}` } }),
  );
}

/** Opens a window in which a person is signed in already; `session` is the answer of a sign-in call. */
export async function openSignedIn(
  browser: Browser,
  session: { accessToken: string; name: string; profileMissing?: boolean },
): Promise<Person> {
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript((kept) => {
    localStorage.setItem('sameway.introSeen', 'true');
    if (localStorage.getItem('sameway.session') === null) localStorage.setItem('sameway.session', kept);
  }, JSON.stringify(session));
  const token = session.accessToken;
  return {
    name: session.name,
    context,
    page: await context.newPage(),
    get: (path) => get(path, token),
    post: (path, body) => post(path, body, token),
  };
}

/** Of everyone who signs up in a journey. */
export const password = 'a long way together';
const emailOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@example.com`;

const keptSession = z.object({ id: z.string(), accessToken: z.string() });

/** The session of the person who is signed in on a page. @throws Error where there is none. */
export async function sessionOn(page: Page): Promise<z.output<typeof keptSession>> {
  const kept = await page.evaluate(() => localStorage.getItem('sameway.session'));
  return keptSession.parse(JSON.parse(kept ?? 'null'));
}

/** Calls as the person who is signed in on a page. */
export async function callsOf(page: Page): Promise<Pick<Person, 'get' | 'post'>> {
  const { accessToken: token } = await sessionOn(page);
  return { get: (path) => get(path, token), post: (path, body) => post(path, body, token) };
}

/** The 6-digit code of the latest email to an address, as soon as it has come. */
export async function emailedCode(email: string): Promise<string> {
  const read = async () => {
    const { letters: emails } = await get<{ letters: { to: string; text: string }[] }>('/demo/outbox');
    return /\b\d{6}\b/.exec(emails.find(({ to }) => to === email)?.text ?? '')?.[0] ?? '';
  };
  await expect.poll(read).not.toBe('');
  return read();
}

/** Signs a person up by calls and gives their session; the profile is still to be completed. */
export async function signUp(firstName: string): Promise<{ accessToken: string; name: string }> {
  const name = `${firstName} ${Math.random().toString(36).slice(2, 7)}`;
  const email = emailOf(name);
  await post('/access/signup', { email, password });
  const code = await emailedCode(email);
  const session = await post<{ accessToken: string }>('/access/verify-email', { email, code });
  return { ...session, name };
}

/** Signs a person up by calls, profile and all, and gives their session. */
export async function signUpWithProfile(firstName: string) {
  const session = await signUp(firstName);
  const { name, accessToken } = session;
  await post('/user/create', { name, firstName, language: 'en' }, accessToken);
  return { ...session, profileMissing: false };
}

/** Signs a person up by calls, for journeys that are about something else. */
export async function newPerson(browser: Browser, firstName: string): Promise<Person> {
  return openSignedIn(browser, await signUpWithProfile(firstName));
}

/**
 * Opens the app as a person who has begun a plan before: it is there at the first page, and then goes its own
 * way.
 */
export const withPlan = (
  where: Pick<BrowserContext, 'addInitScript'>,
  role: 'driver' | 'passenger',
  plan: object,
): Promise<unknown> =>
  where.addInitScript(
    ({ name, value }) => {
      const draft = { userId: '', savedAtMs: Date.now(), value };
      if (localStorage.getItem('sameway.drafts') === null)
        localStorage.setItem('sameway.drafts', JSON.stringify({ [name]: draft }));
    },
    { name: `plan.${role}`, value: plan },
  );

/** Tomorrow by the server's clock, plus some minutes. */
export async function tomorrow(minutes = 0): Promise<string> {
  const { now } = await get<{ now: string }>('/app/config');
  return new Date(Date.parse(now) + 24 * 3_600_000 + minutes * 60_000).toISOString();
}

/** Returns the instant of `tomorrow` in California's local time, as forms write it: `2026-11-24T07:15`. */
export const localTomorrow = async (minutes: number): Promise<string> =>
  new Date(await tomorrow(minutes))
    .toLocaleString('sv-SE', { timeZone: 'America/Los_Angeles' })
    .slice(0, 16)
    .replace(' ', 'T');

/**
 * The same person with a session of now for their calls: an hour after the last one, as the server's clock
 * says, they need it.
 */
export async function callingAgain(who: Person): Promise<Person> {
  const { accessToken } = await post<{ accessToken: string }>('/access/login', {
    email: emailOf(who.name),
    password,
  });
  return {
    ...who,
    get: (path) => get(path, accessToken),
    post: (path, body) => post(path, body, accessToken),
  };
}

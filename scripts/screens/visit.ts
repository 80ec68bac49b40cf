import type { Browser, BrowserContext, Page } from '@playwright/test';
import { login } from '#contract/access/endpoints.ts';
import { signUpWithProfile } from '../../e2e/people.ts';
import { demoAccounts, demoPassword } from '../../server/features/demo/accounts.ts';
import { readEnvelope } from '../../server/testing/envelopes.ts';

/** A visitor: a person of the demo community, a guest, or a person who has just signed up and has nothing. */
export const visitors = ['guest', 'driver', 'passenger', 'admin', 'newcomer'] as const;
export type Visitor = (typeof visitors)[number];

export type Language = 'en' | 'zh';

export const sizes = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'tablet', width: 820, height: 1180 },
  { name: 'desktop', width: 1440, height: 900 },
] as const;
export type Size = (typeof sizes)[number];

/** Reads a path of the server as the visitor. @returns the answer's data, still to be parsed. */
export type Api = (path: string) => Promise<unknown>;

/** A visitor's session, as sign-in answers it; null for a guest. */
export type Session = { accessToken: string; name: string } | null;

/** Signs a visitor in on the server whose address is in `E2E_URL`. */
export async function signIn(url: string, visitor: Visitor): Promise<Session> {
  if (visitor === 'guest') return null;
  if (visitor === 'newcomer') return signUpWithProfile('Robin');
  const account = demoAccounts.find(({ role }) => role === visitor)!;
  const response = await fetch(`${url}/access/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: demoPassword }),
  });
  return login.output.parse(readEnvelope(await response.json()).data);
}

export const apiOf =
  (url: string, session: Session): Api =>
  async (path) => {
    const headers: Record<string, string> =
      session === null ? {} : { authorization: `Bearer ${session.accessToken}` };
    const response = await fetch(url + path, { headers });
    return readEnvelope(await response.json()).data;
  };

/** A browser window of a size, in a language, in which the visitor is signed in and has seen the intro. */
export async function openWindow(
  browser: Browser,
  session: Session,
  { size, language, timeZone }: { size: Size; language: Language; timeZone: string },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    timezoneId: timeZone,
    deviceScaleFactor: 1,
    hasTouch: size.name !== 'desktop',
  });
  await context.addInitScript(
    ([kept, chosen]) => {
      localStorage.setItem('sameway.introSeen', 'true');
      localStorage.setItem('sameway.language', JSON.stringify(chosen));
      if (kept !== null && localStorage.getItem('sameway.session') === null)
        localStorage.setItem('sameway.session', kept);
    },
    [session === null ? null : JSON.stringify(session), language] as const,
  );
  return context;
}

const mapDrawnMs = 2500;

/** Waits until nothing loads, fades or is drawn any more. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => undefined);
  await page.waitForTimeout(900);
  // A map without a graphics card takes its time.
  if ((await page.locator('canvas:visible').count()) > 0) await page.waitForTimeout(mapDrawnMs);
}

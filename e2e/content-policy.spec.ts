import { expect, type Page } from '@playwright/test';
import { pages } from '#contract/app/pages.ts';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { mapsDrawn } from './chromium.ts';
import { takeRefused, test } from './journey.ts';
import { post, serverUrl } from './people.ts';

test.use(mapsDrawn);

/** The addresses of a ride with a map and of its matches. */
async function addressesOfRides(token: string): Promise<string[]> {
  const answer = await fetch(`${serverUrl()}/order/list?side=driver&scope=upcoming`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: { orders: { id: string }[] } };
  const [ride] = data.orders;
  expect(ride).toBeDefined();
  return ['detail', 'match'].map((page) => `/pages/order/${page}?id=${ride!.id}`);
}

/** Opens a page and, if it may draw a map, waits until the network is idle. */
async function lookAt(page: Page, address: string, mayHaveMap = false): Promise<void> {
  await page.goto(address);
  await expect(page.locator('h1, [role=dialog], [role=alertdialog]').first(), address).toBeAttached();
  if (mayHaveMap) await page.waitForLoadState('networkidle');
  expect(takeRefused(), address).toEqual([]);
}

for (const locale of ['en-US', 'zh-CN'])
  test(`no page asks for anything that its policy refuses, maps included: ${locale}`, async ({ browser }) => {
    const guest = await browser.newContext({ baseURL: serverUrl(), locale });
    const first = await guest.newPage();
    for (const [address, reach] of Object.entries(pages))
      if (reach !== 'private') await lookAt(first, address);
    await guest.close();

    for (const role of ['driver', 'admin'] as const) {
      const { email } = demoAccounts.find((account) => account.role === role)!;
      const session = await post<{ accessToken: string }>('/access/login', { email, password: demoPassword });
      const context = await browser.newContext({ baseURL: serverUrl(), locale });
      await context.addInitScript((kept) => {
        localStorage.setItem('sameway.introSeen', 'true');
        localStorage.setItem('sameway.session', kept);
      }, JSON.stringify(session));
      const page = await context.newPage();
      if (role === 'admin') for (const address of Object.keys(pages)) await lookAt(page, address);
      else
        for (const address of ['/', ...(await addressesOfRides(session.accessToken))]) {
          await lookAt(page, address, true);
          if (address === '/') await expect(page.locator('canvas')).toBeVisible();
        }
      await context.close();
    }
  });

test('a page refuses scripts, styles and HTML that are not the app’s, and reports them', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl() });
  const page = await context.newPage();
  const answer = await page.goto('/pages/legal/legal');
  const policy = answer!.headers()['content-security-policy']!;
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("require-trusted-types-for 'script'");
  // The page itself tries what an attacker’s text would: the browser runs this as the page’s own script.
  const outcomes = await page.evaluate(() => {
    const tried = (what: () => void) => {
      try {
        what();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy: (name: string, rules: object) => unknown };
    };
    return {
      html: tried(() => (document.createElement('div').innerHTML = '<b>Hello</b>')),
      frame: tried(() => document.createElement('iframe').setAttribute('srcdoc', '<b>Hello</b>')),
      worker: tried(() => new Worker('data:text/javascript,0')),
      script: tried(() => (document.createElement('script').src = '/assets/x.js')),
      policy: tried(() => trustedTypes.createPolicy('another', {})),
      again: tried(() => trustedTypes.createPolicy('sameway-scripts', {})),
    };
  });
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['TypeError']));
  await page.evaluate(() => {
    document.body.setAttribute('style', 'color: red');
    const sheet = document.createElement('style');
    sheet.textContent = 'body { color: red }';
    document.head.append(sheet);
  });
  await expect(page.locator('body')).not.toHaveCSS('color', 'rgb(255, 0, 0)');
  const said = takeRefused().join('\n');
  for (const kind of ['require-trusted-types-for', 'trusted-types', 'style-src-attr', 'style-src-elem'])
    expect(said).toContain(` ${kind} `);
  await context.close();
});

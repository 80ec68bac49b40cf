import { launch, type Browser, type LaunchOptions } from 'puppeteer-core';
import { chromiumLaunch } from '../chromium.ts';
import { firstInstalled } from './installed.ts';
import { answersWithinMs, browserEnv, type Engine, type EngineWindow } from './window.ts';

const viewport = { width: 390, height: 844 };

async function windowOf(browser: Browser): Promise<EngineWindow> {
  try {
    const page = await browser.newPage();
    await page.setViewport(viewport);
    page.setDefaultTimeout(answersWithinMs);
    return {
      open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
      evaluate: (expression) => page.evaluate(expression),
      click: ({ x, y }) => page.mouse.click(x, y),
      type: (text) => page.keyboard.type(text),
      screenshot: async () => Buffer.from(await page.screenshot()),
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

const usual: LaunchOptions = {
  env: browserEnv,
  timeout: answersWithinMs,
  protocolTimeout: answersWithinMs,
};

export const chromium: Engine = {
  name: 'Chromium',
  // npm brings one along where the machine has none.
  missing: () => null,
  launch: async ({ drawsMaps = true } = {}) =>
    windowOf(await launch({ ...usual, ...(await chromiumLaunch({ drawsMaps, isWhole: true })) })),
};

const firefoxPath = firstInstalled('firefox-esr', 'firefox');

/** Firefox, over WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: () => (firefoxPath === null ? 'Firefox is not installed (apt-get install firefox-esr)' : null),
  launch: async ({ drawsMaps = true } = {}) =>
    windowOf(
      await launch({
        ...usual,
        browser: 'firefox',
        executablePath: firefoxPath ?? '',
        extraPrefsFirefox: { 'webgl.disabled': !drawsMaps, 'intl.locale.requested': 'en-US' },
      }),
    ),
};

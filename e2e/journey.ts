import { test as base, type Browser, type BrowserContext } from '@playwright/test';

/** The prefix of the lines with which a page reports violations of its policy. */
const mark = 'Refused by the page’s policy:';

/** Runs in each page before its own scripts. */
function tellRefused(words: string): void {
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI, sample, sourceFile }) =>
      console.error(words, effectiveDirective, blockedURI, sample, sourceFile, location.pathname),
  );
}

/** The violations that pages have reported since they were last read. */
const refused: string[] = [];

/** The violations since the last call, for journeys that test them. */
export const takeRefused = (): string[] => refused.splice(0);

async function watch(context: BrowserContext): Promise<BrowserContext> {
  context.on('console', (message) => {
    if (message.text().startsWith(mark)) refused.push(message.text());
  });
  await context.addInitScript(tellRefused, mark);
  return context;
}

/** Watches every window that a journey opens. */
function watchAll(browser: Browser): void {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => watch(await open(options));
}

/**
 * A journey in the browser: it fails where a page's content security policy has refused something, whatever
 * it is about. The windows it has opened are closed with it: left open, they go on asking the server and
 * moving, and take most of a core from the journeys after it.
 */
export const test = base.extend<{ closesWindows: void }, { watchesWindows: void }>({
  watchesWindows: [
    async ({ browser }, use) => {
      watchAll(browser);
      await use();
    },
    { auto: true, scope: 'worker' },
  ],
  closesWindows: [
    async ({ browser }, use) => {
      await use();
      const found = refused.splice(0);
      await Promise.all(browser.contexts().map((context) => context.close()));
      base.expect(found).toEqual([]);
    },
    { auto: true },
  ],
});

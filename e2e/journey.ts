import { test as base } from '@playwright/test';

/**
 * A journey in the browser. The windows it has opened are closed with it: left open, they go on asking the
 * server and moving, and take most of a core from the journeys after it.
 */
export const test = base.extend<{ closesWindows: void }>({
  closesWindows: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});

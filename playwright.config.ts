import os from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './e2e/chromium.ts';

// What takes long is for `npm run test:long`.
const isLong = process.env['TEST_LONG'] === '1';

export default defineConfig({
  testDir: 'e2e',
  testMatch: isLong ? '*.long.spec.ts' : /^(?!.*\.long\.spec).*\.spec\.ts$/,
  globalSetup: './e2e/global-setup.ts',
  // Journeys move their server's one clock, so each worker has a server of its own, and goes through files
  // one after another. Without WebGL, which the few journeys about the map ask for themselves, a server and a
  // browser leave half of two cores idle.
  workers: process.env['E2E_URL'] === undefined && !isLong && os.availableParallelism() >= 2 ? 2 : 1,
  // A machine under load can miss a deadline; a journey that fails twice has failed.
  retries: process.env['CI'] === undefined ? 0 : 1,
  // Journeys wait for facts. These only end what hangs, on a machine that others keep busy too.
  timeout: 1_200_000,
  expect: { timeout: 120_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 390, height: 844 },
    launchOptions: await chromiumLaunch(),
    // Journeys about something else look at the server's files, not at those a service worker has kept.
    serviceWorkers: 'block',
    // Pages stand still sooner.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 120_000,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
});

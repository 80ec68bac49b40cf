import os from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './e2e/chromium.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  // Journeys move their server's one clock, so each worker has a server of its own, and goes through files one after another.
  // A server, a browser and the maps it draws keep two cores busy.
  workers: process.env['E2E_URL'] === undefined && os.availableParallelism() >= 4 ? 2 : 1,
  // A machine under load can miss a deadline; a journey that fails twice has failed.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 390, height: 844 },
    launchOptions: await chromiumLaunch(),
    // Journeys about something else look at the server's files, not at those a service worker has kept.
    serviceWorkers: 'block',
    actionTimeout: 20_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});

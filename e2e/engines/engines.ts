import { test } from '@playwright/test';
import { chromium, firefox } from './puppeteer.ts';
import { webkit } from './webkit.ts';
import type { Engine } from './window.ts';

export { chromium, firefox };
export const engines: readonly Engine[] = [chromium, firefox, webkit];

/** Skips a test whose engine is not installed, and says so where no one can miss it. */
export function skipWithout(engine: Engine): void {
  const missing = engine.missing();
  if (missing !== null) process.stderr.write(`\n!!! SKIPPED: “${test.info().title}”. ${missing}.\n\n`);
  test.skip(missing !== null, missing ?? '');
}

import { test } from '@playwright/test';
import { chromium, firefox } from './puppeteer.ts';
import { webkit } from './webkit.ts';
import type { Engine } from './window.ts';

export const engines: readonly Engine[] = [chromium, firefox, webkit];

/** Skips the test if the engine is not installed, and writes the reason to the terminal. */
export function skipWithout(engine: Engine): void {
  const missing = engine.missing();
  if (missing !== null) process.stderr.write(`\n!!! SKIPPED: “${test.info().title}”. ${missing}.\n\n`);
  test.skip(missing !== null, missing ?? '');
}

import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';

/** Until the worker serves this page. */
export const untilServed = (page: Page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    while (serviceWorker.controller?.state !== 'activated') await new Promise((next) => setTimeout(next, 50));
  });

/** The files of the app that the worker has cached. */
export const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });

/** Waits until the worker has cached all files of the app, except those that only admins open. */
export async function untilKept(page: Page): Promise<void> {
  await untilServed(page);
  const assets = path.join(import.meta.dirname, '..', 'dist', 'web', 'assets');
  const files = fs
    .readdirSync(assets)
    // The server sends the packed copies under the file's own name; maps of scripts are for their developers.
    .filter((name) => !/^(statistics|admin|license-reviews)-|\.(br|gz|map)$/.test(name))
    .map((name) => `/assets/${name}`);
  await expect
    .poll(async () => {
      const kept = new Set(await keptFiles(page));
      return files.filter((name) => !kept.has(name)).length;
    })
    .toBe(0);
}

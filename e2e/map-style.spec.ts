import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Browser } from '@playwright/test';
import { test } from './journey.ts';
import { mapsDrawn } from './chromium.ts';
import { newDataFolder, startServer } from './server.ts';

test.use(mapsDrawn);

/** A small piece of the map, as the browser drew it. */
async function pieceOfMap(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.locator('canvas')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const picture = await page.screenshot({ clip: { x: 1200, y: 840, width: 4, height: 4 } });
  await context.close();
  return picture.toString('base64');
}

test('a hosted map style is used where the browser reaches it, else the region’s own map', async ({
  browser,
}) => {
  const style = {
    version: 8,
    sources: {},
    layers: [{ id: 'all', type: 'background', paint: { 'background-color': '#7b1fa2' } }],
  };
  const asked: string[] = [];
  const host = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .end(JSON.stringify(style));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const tilesUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/style.json`;
  const { folder, remove } = newDataFolder();
  try {
    const server = await startServer(folder, { TILES_URL: tilesUrl, DEMO: '0' });
    const hosted = await pieceOfMap(browser, server.url);
    expect(asked).toContain('/style.json');
    await new Promise((resolve) => host.close(resolve));
    const own = await pieceOfMap(browser, server.url);
    expect(own).not.toBe(hosted);
    await server.stop();
  } finally {
    host.close();
    remove();
  }
});

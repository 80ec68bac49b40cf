import { expect } from '@playwright/test';
import type { EventDetail } from '../contract/events/endpoints.ts';
import { test } from './journey.ts';
import { get, newPerson, serverUrl, tomorrow } from './people.ts';

/** What the server answers to a reader without scripts. */
async function read(path: string) {
  const answer = await fetch(serverUrl() + path, {
    headers: { accept: 'text/html', 'accept-language': 'en' },
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('the short link of an event opens it, and its page says what it is before any script', async ({
  browser,
}) => {
  const organizer = await newPerson(browser, 'Olga');
  const day = (await tomorrow(24 * 60)).slice(0, 10);
  const name = `Lantern walk ${Math.random().toString(36).slice(2, 7)}`;
  const { id } = await organizer.post<{ id: string }>('/event/create', {
    name,
    place: { name: 'Natural Bridges', detail: 'Santa Cruz', lon: -122.0577, lat: 36.9521 },
    starts: `${day}T18:30`,
    ends: `${day}T21:00`,
  });
  const { link } = await get<EventDetail>(`/event/detail?id=${id}`);
  expect(await read(link)).toMatchObject({ status: 302 });

  const context = await browser.newContext({ baseURL: serverUrl(), locale: 'en-US' });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(link);
  await expect(page).toHaveURL(`${serverUrl()}/pages/events/events?id=${id}`);
  await expect(page.getByRole('heading', { name }).first()).toBeVisible();
  expect(problems).toEqual([]);

  const { status, text } = await read(`/pages/events/events?id=${id}`);
  expect(status).toBe(200);
  const bare = await browser.newContext({ baseURL: serverUrl(), javaScriptEnabled: false });
  const reader = await bare.newPage();
  await reader.goto(`/pages/events/events?id=${id}`);
  await expect(reader.getByRole('heading', { level: 1 })).toContainText(name);
  const picture = /<meta property="og:image" content="([^"]+)"/.exec(text)![1]!.replaceAll('&#38;', '&');
  const drawn = await fetch(picture);
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
  await Promise.all([context.close(), bare.close()]);
});

test('a page that is not there is 404 and shows so; a private page is kept by no search engine', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl() });
  const page = await context.newPage();
  expect((await page.goto('/pages/nowhere'))!.status()).toBe(404);
  await expect(page.getByText('Page not found')).toBeVisible();
  await context.close();
  expect((await read('/pages/chat/chat')).headers.get('x-robots-tag')).toBe('noindex');
  expect((await read('/robots.txt')).text).toContain('/sitemap.xml');
  expect((await read('/favicon.ico')).status).toBe(200);
});

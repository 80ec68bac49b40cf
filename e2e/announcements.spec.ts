import { expect } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { test } from './journey.ts';
import { startOwnServer } from './own-server.ts';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { openSignedIn, post, serverUrl } from './people.ts';

let end: () => Promise<void>;
test.beforeAll(async () => {
  end = await startOwnServer();
});
test.afterAll(() => end());

const pictures = process.env['ANNOUNCEMENT_PICTURES'];

test('an admin publishes an announcement; people see it in their language on each page until they close it', async ({
  browser,
}) => {
  const { email } = demoAccounts.find(({ role }) => role === 'admin')!;
  const { page } = await openSignedIn(
    browser,
    await post('/access/login', { email, password: demoPassword }),
  );
  await page.goto('/pages/admin/admin?view=announcements');
  await expect(page.getByText('No announcements yet')).toBeVisible();
  await page.getByRole('button', { name: 'New announcement' }).click();
  const dialog = page.getByRole('dialog', { name: 'New announcement' });
  await dialog.getByLabel('Title in English').fill('A fair on Saturday');
  await dialog.getByLabel('Title in Chinese').fill('周六有市集');
  await dialog
    .getByLabel('Text in English')
    .fill('Main Street is closed from 8 AM. Please meet one block away.');
  await dialog.getByLabel('Text in Chinese').fill('主街上午 8 点起封路，请在旁边的街上车。');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  // Without an end the form shows an error at that field.
  await expect(dialog.getByLabel('Until')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Until').fill('2030-01-01T12:00');
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/form-phone.png` });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/^Live ·/)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/admin-phone.png` });

  for (const [locale, title, close] of [
    ['en-US', 'A fair on Saturday', 'Close announcement'],
    ['zh-CN', '周六有市集', '关闭公告'],
  ] as const)
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      const context = await browser.newContext({ baseURL: serverUrl(), locale, viewport });
      const guest = await context.newPage();
      await guest.goto('/pages/legal/legal');
      const bar = guest.getByRole('region', { name: locale === 'en-US' ? 'Announcement' : '公告' });
      await expect(bar.getByRole('heading', { name: title })).toBeVisible();
      expect(await violationsOn(guest)).toEqual([]);
      if (pictures !== undefined)
        await guest.screenshot({ path: `${pictures}/bar-${locale}-${viewport.width}.png` });
      await bar.getByRole('button', { name: close }).click();
      await expect(bar).toHaveCount(0);
      const read = guest.waitForResponse('**/announcement/current**');
      await guest.goto('/pages/about/about');
      await read;
      await expect(guest.getByRole('heading').first()).toBeVisible();
      await expect(bar).toHaveCount(0);
      await context.close();
    }

  await page.getByRole('button', { name: 'Take down' }).click();
  await expect(page.getByText('Over')).toBeVisible();
  const context = await browser.newContext({ baseURL: serverUrl() });
  const guest = await context.newPage();
  const read = guest.waitForResponse('**/announcement/current**');
  await guest.goto('/pages/legal/legal');
  expect(await (await read).json()).toMatchObject({ data: { announcements: [] } });
});

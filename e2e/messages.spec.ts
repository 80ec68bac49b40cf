import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson } from './people.ts';

const refusal = 'This is refused for a reason that takes a person a while to read.';

test('a short message goes by itself, a long one stays until it is closed, and both are announced', async ({
  browser,
}) => {
  const { page } = await newPerson(browser, 'Tess');
  await page.clock.install();
  let info = refusal;
  await page.route('**/feedback/post', (route) => route.fulfill({ json: { code: 409, info } }));
  const send = async () => {
    await page.goto('/pages/feedback/feedback');
    await page.getByLabel('Subject').fill('A question');
    await page.getByLabel('Message').fill('Where is the pier?');
    await page.getByRole('button', { name: 'Send feedback' }).click();
  };

  await send();
  const region = page.locator('section[aria-live="polite"]');
  await expect(region.getByText(refusal)).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(region.getByText(refusal)).toBeVisible();
  const close = region.getByRole('button', { name: 'Close' });
  const box = (await close.boundingBox())!;
  expect(Math.min(box.width, box.height)).toBeGreaterThan(43.9);
  await close.click();
  await page.clock.runFor(1000);
  await expect(region.getByText(refusal)).toHaveCount(0);

  info = 'Short and refused.';
  await send();
  await expect(region.getByText(info)).toBeVisible();
  await expect(region.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await page.clock.runFor(4000);
  await expect(region.getByText(info)).toHaveCount(0);
});

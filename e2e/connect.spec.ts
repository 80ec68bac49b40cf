import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { adminSession } from './money.ts';
import { isSignedWith, openWebhookSink } from '../server/testing/webhook-sink.ts';
import { get, openSignedIn, post, serverUrl, signUpWithProfile } from './people.ts';

/** Asks as a program does: with a key, and with the envelope's code as the answer. */
async function askWithKey(path: string, secret: string): Promise<{ code: number; reason?: string }> {
  const response = await fetch(`${serverUrl()}${path}`, { headers: { authorization: `Bearer ${secret}` } });
  expect(response.status).toBe(200);
  return response.json() as Promise<{ code: number; reason?: string }>;
}

test('an API key is made, shown once, used by a program within its scopes, and revoked', async ({
  browser,
}) => {
  const { page } = await openSignedIn(browser, await adminSession());
  await page.goto('/pages/admin/admin?view=connect');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByRole('button', { name: 'New key' }).click();
  await expect(dialog.getByText('Please enter a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Weekly report');
  await dialog.getByLabel('Valid for').selectOption({ label: '30 days' });
  await dialog.getByRole('button', { name: 'New key' }).click();
  await expect(dialog.getByText('Please select at least one scope.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Read statistics' }).check();
  await dialog.getByRole('button', { name: 'New key' }).click();

  const shown = page.getByRole('dialog', { name: 'Copy your key now' });
  const secret = (await shown.getByText(/^sameway_/).textContent()) ?? '';
  await shown.getByRole('button', { name: 'I’ve saved it' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Weekly report' }).first();
  await expect(row).toContainText('Never used');
  await expect(row).toContainText(`…${secret.slice(-4)}`);
  await expect(page.getByText(secret)).toHaveCount(0);

  expect(await askWithKey('/admin/statistics', secret)).toMatchObject({ code: 200 });
  expect(await askWithKey('/user/profile', secret)).toMatchObject({ code: 403, reason: 'key.scope' });
  expect(await askWithKey('/payment/methods', secret)).toMatchObject({ code: 403, reason: 'key.never' });
  await page.reload();
  await expect(row).toContainText(/Used /);
  await row.getByRole('button', { name: 'Revoke Weekly report' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
  expect(await askWithKey('/admin/statistics', secret)).toMatchObject({ code: 400, reason: 'key.revoked' });
  await page.goto('/pages/admin/admin?view=audit');
  await expect(page.getByText(/^Revoked an API key of/).first()).toBeVisible();
});

test('a webhook is added, tried, failed and sent again, with the signature that its program checks', async ({
  browser,
}) => {
  const sink = await openWebhookSink();
  const { page } = await openSignedIn(browser, await adminSession());
  await page.goto('/pages/admin/admin?view=connect');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Name').fill('Office screen');
  await dialog.getByLabel('Address').fill('http://intranet.example.com/hook');
  await dialog.getByRole('checkbox', { name: 'Report filed' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Please enter an address that begins with https://.')).toBeVisible();
  await dialog.getByLabel('Address').fill(sink.url);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the signing secret' });
  const secret = (await shown.getByText(/^whsec_/).textContent()) ?? '';
  await shown.getByRole('button', { name: 'I’ve saved it' }).click();

  const card = page.getByRole('listitem').filter({ hasText: 'Office screen' });
  await expect(card).toContainText('Nothing delivered yet');
  sink.answer = 500;
  await card.getByRole('button', { name: 'Send a test' }).click();
  await expect.poll(() => sink.received.length).toBe(1);
  sink.answer = 204;
  await card.getByRole('button', { name: 'Log' }).click();
  const log = page.getByRole('dialog', { name: 'Sent to Office screen' });
  await expect(log.getByRole('listitem').first()).toContainText('Test');
  await log.getByRole('button', { name: 'Send again' }).first().click();
  await expect.poll(() => sink.received.length).toBe(2);
  expect(new Set(sink.received.map(({ id }) => id)).size).toBe(1);
  expect(sink.received.every((each) => isSignedWith(each, secret))).toBe(true);
  await log.getByRole('button', { name: 'Close' }).click();

  // What happens in the app is told too.
  const [a, b] = [await signUpWithProfile('Rita'), await signUpWithProfile('Rolf')];
  const { id } = await get<{ id: string }>('/user/profile', b.accessToken);
  await post('/contact/report', { id, reason: 'spam', words: 'Over and over' }, a.accessToken);
  await expect.poll(() => sink.received.map(({ body }) => body.type)).toContain('report.filed');
  expect(sink.received.at(-1)!.text).not.toContain('Over and over');
  await page.reload();
  await expect(card).toContainText('Last delivered');
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(card).toHaveCount(0);
  await sink.close();
});

import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { adminSession } from './money.ts';
import { openSignedIn, serverUrl } from './people.ts';

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

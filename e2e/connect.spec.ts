import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { adminSession } from './money.ts';
import { isSignedWith, openWebhookSink } from '../server/testing/webhook-sink.ts';
import { get, openSignedIn, post, serverUrl, signUpWithProfile } from './people.ts';

/** Calls as a program does, with a key, and returns the envelope. */
async function askWithKey(path: string, secret: string): Promise<{ code: number; reason?: string }> {
  const response = await fetch(`${serverUrl()}${path}`, { headers: { authorization: `Bearer ${secret}` } });
  expect(response.status).toBe(200);
  return response.json() as Promise<{ code: number; reason?: string }>;
}

test('an admin makes an API key, sees it once, uses it within its scopes, and revokes it', async ({
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

test('an admin adds a webhook; a failed delivery is sent again, with a signature that the receiver checks', async ({
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
  await expect(dialog.getByText('Please enter an address that starts with https://.')).toBeVisible();
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

  // The webhook also gets events of the app.
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

test('a directory adds a person over SCIM; their group gives them a role, and leaving ends their session', async ({
  browser,
}) => {
  const admin = await adminSession();
  const { page } = await openSignedIn(browser, admin);
  await page.goto('/pages/admin/admin?view=connect');
  await page.getByRole('button', { name: 'Add role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Give a group a role' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Please enter the name of a group.')).toBeVisible();
  await dialog.getByLabel('Group').fill('Help desk');
  await dialog.getByRole('radio', { name: /^Support/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Help desk' });
  await expect(row).toContainText('Support');

  const key = { name: 'Directory', scopes: ['scim'] };
  const { secret } = await post<{ secret: string }>('/admin/make-key', key, admin.accessToken);
  const scim = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${serverUrl()}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string } };
  };
  const worker = await signUpWithProfile('Wilma');
  const { email } = await get<{ email: string }>('/user/profile', worker.accessToken);
  const made = await scim('POST', '/Users', { userName: email, active: true });
  expect(made.status).toBe(201);
  await scim('POST', '/Groups', { displayName: 'Help desk', members: [{ value: made.body.id }] });
  const theirs = await openSignedIn(browser, worker);
  await page.goto(`/pages/admin/admin?view=users&text=${encodeURIComponent(email)}`);
  await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('Support');
  await theirs.page.goto('/pages/account/account');
  await expect(theirs.page.getByText(worker.name).first()).toBeVisible();
  await scim('PATCH', `/Users/${made.body.id}`, {
    Operations: [{ op: 'replace', value: { active: false } }],
  });
  await expect(theirs.page.getByText(/Your organization turned off your access\.$/)).toBeVisible();
  await expect(theirs.page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto('/pages/admin/admin?view=connect');
  await row.getByRole('button', { name: 'Remove Help desk' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

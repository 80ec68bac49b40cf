import fs from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { outsideClient, startProvider } from '../server/testing/oauth-provider.ts';
import { test } from './journey.ts';
import { get, newPerson, openSignedIn, post, serverUrl } from './people.ts';
import { newDataFolder, startServer } from './server.ts';

const password = 'a long way together';

/** The code of the latest email or text to a person. */
async function codeFor(recipient: string): Promise<string> {
  const latest = async () =>
    (await get<{ letters: { to: string; subject: string; text: string }[] }>('/demo/outbox')).letters.find(
      ({ to }) => to === recipient,
    );
  await expect.poll(latest).toBeDefined();
  const { subject, text } = (await latest())!;
  return /\b\d{6}\b/.exec(`${subject} ${text}`)![0];
}

/** Chooses where a trip begins; the app then asks where it leads. */
async function choosePlaces(page: Page, places: readonly [text: string, result: RegExp][]): Promise<void> {
  await page.getByRole('button', { name: /^From/ }).first().click();
  for (const [text, result] of places) {
    await page.getByLabel('Street, place or airport').fill(text);
    await page.getByRole('option', { name: result }).first().click();
  }
}

test('somebody signs in through an outside provider and finds the plan they were typing as a guest', async ({
  browser,
}) => {
  const { folder, remove } = newDataFolder();
  // A native client may come back to any port of this machine, so the server's need not be known yet.
  const provider = await startProvider({
    people: { nora: { email: 'nora@example.com', email_verified: true, name: 'Nora Berg' } },
    redirectUris: ['http://localhost/pages/auth/oauth'],
  });
  const { clientId, clientSecret } = outsideClient;
  const server = await startServer(folder, {
    DEMO: '0',
    ALLOWED_EMAIL_DOMAINS: 'example.com, ucsc.edu',
    OIDC_PROVIDERS: JSON.stringify([
      { id: 'local', name: 'Local ID', issuer: provider.issuer, clientId, clientSecret },
    ]),
  });
  try {
    const context = await browser.newContext({ baseURL: server.url });
    await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
    const page = await context.newPage();
    await page.goto('/');
    await choosePlaces(page, [
      ['Pacific Avenue', /Pacific Avenue/],
      ['Capitola', /Capitola/],
    ]);
    await expect(page.getByRole('button', { name: /^To/ }).first()).toContainText('Capitola');
    await page.goto('/pages/order/confirm?role=driver');
    await expect(page).toHaveURL(/\/pages\/auth\/auth\?returnTo=/);

    await page.getByRole('button', { name: 'Continue with Local ID' }).click();
    await page.getByPlaceholder('Enter any login').fill('nora');
    await page.getByPlaceholder('and password').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();

    await expect(page.getByRole('heading', { name: 'What should we call you?' })).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveValue('Nora Berg');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page).toHaveURL(/\/pages\/order\/confirm/);
    await expect(page.getByRole('button', { name: /^From/ }).first()).toContainText('Pacific Avenue');
    await expect(page.getByRole('button', { name: /^To/ }).first()).toContainText('Capitola');

    // The answer of the provider is worth nothing a second time, and nothing in another browser.
    const stranger = await (await browser.newContext({ baseURL: server.url })).newPage();
    await stranger.goto('/pages/auth/oauth?code=stolen&state=stolen');
    await expect(stranger.getByText('This sign-in expired or started in another browser')).toBeVisible();

    // Nor does an e-mail of elsewhere make an account here.
    await stranger.goto('/pages/auth/auth');
    await stranger.getByLabel('Email').fill('nora@elsewhere.org');
    await stranger.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(
      stranger.getByText('Only emails from allowed domains (example.com, ucsc.edu) are supported.'),
    ).toBeVisible();

    // An account without a password is deleted without one.
    await page.goto('/pages/account/settings2');
    await page.getByRole('button', { name: /^Delete my account/ }).click();
    await expect(page.getByLabel('Your password')).toHaveCount(0);
    await page.getByRole('button', { name: 'Keep my account' }).click();
  } finally {
    await server.stop();
    await provider.close();
    remove();
  }
});

test('a person asks for deletion, finds it everywhere, and keeps the account after all', async ({
  browser,
}) => {
  const { page, name } = await newPerson(browser, 'Dele');
  await page.goto('/pages/account/settings2');
  await page.getByRole('button', { name: /^Delete my account/ }).click();
  await page.getByLabel('Your password').fill('not the right one');
  await page.getByRole('button', { name: 'Delete my account', exact: true }).click();
  await expect(page.getByText('That password isn’t right.')).toBeVisible();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Delete my account', exact: true }).click();
  await expect(page.getByText(/We’ll delete your account on/)).toBeVisible();
  await page.goto('/pages/account/account');
  await expect(page.getByText(/We’ll delete your account on/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByText('We kept your account')).toBeVisible();
  await expect(page.getByText(/We’ll delete your account on/)).toHaveCount(0);
  await page.goto('/pages/account/settings2');
  await expect(page.getByText(/We’ll delete your account on/)).toHaveCount(0);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  await expect(page.getByText(/^We’re preparing your data/)).toBeVisible();
  // Who waits on the page gets the file by itself.
  const findName = async (file: string) => {
    const files = unzipSync(new Uint8Array(fs.readFileSync(file)));
    const data: unknown = JSON.parse(strFromU8(files['data.json']!));
    expect(data).toMatchObject({ account: [{ name }] });
  };
  await findName(await (await download).path());
  await expect(page.getByText(/^Your data is ready/)).toBeVisible();
  await page.reload();
  const again = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  await findName(await (await again).path());
});

test('a phone is verified by SMS, another device signed out, the password changed, and news chosen', async ({
  browser,
}) => {
  const person = await newPerson(browser, 'Sara');
  const { page } = person;
  const { email } = await person.get<{ email: string }>('/user/profile');
  const phone = `+1415${String(2_000_000 + Math.floor(Math.random() * 7_999_999))}`;
  await page.goto('/pages/account/updatephone');
  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  await page.getByLabel('6-digit code').fill(await codeFor(phone));
  await expect(page.getByText('Phone number verified')).toBeVisible();
  // The session is read again: it has the parts of the new number.
  const session = () => page.evaluate(() => localStorage.getItem('sameway.session') ?? '');
  await expect.poll(session).toContain(`"phoneNumber":"${phone.slice(2)}","phoneRegion":"+1"`);

  const other = await openSignedIn(browser, await post('/access/login', { phone, password }));
  await other.page.goto('/pages/account/account');
  await page.goto('/pages/account/settings2');
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('One device signed out')).toBeVisible();
  await other.page.goto('/pages/car/car');
  await expect(other.page).toHaveURL(/\/pages\/auth\/auth\?returnTo=/);

  await page.getByRole('button', { name: /^Change password/ }).click();
  const change = page.getByRole('dialog', { name: 'Change password' });
  await change.getByLabel('Current password').fill('not the right one');
  await change.getByLabel('New password').fill('eleven char');
  await change.getByRole('button', { name: 'Change password' }).click();
  await expect(change.getByText('Please enter a password of at least 12 characters.')).toBeVisible();
  await change.getByLabel('New password').fill('seventeen ducks');
  await change.getByRole('button', { name: 'Change password' }).click();
  await expect(change.getByText('That password isn’t right.')).toBeVisible();
  await change.getByLabel('Current password').fill(password);
  await change.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await post('/access/login', { phone, password: 'seventeen ducks' });

  await page.goto('/pages/account/settings/notificationSettings');
  await expect(page.getByRole('switch', { name: 'Send me emails and text messages' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'A rider asks to join: Text message' }).click();
  await page.getByRole('switch', { name: 'Pause notifications at night' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Notification settings saved')).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^You agreed on .* to version/)).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'A rider asks to join: Text message' })).toBeChecked();
  await page.route('**/notification/save-settings', (route) => route.abort());
  await page.getByRole('switch', { name: 'Pause notifications at night' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Failed to save notification settings, please try again.')).toBeVisible();

  // A forgotten password: a new one is set with the code that goes to the phone.
  const fresh = await (await browser.newContext({ baseURL: serverUrl() })).newPage();
  await fresh.goto('/pages/login/login');
  await fresh.getByLabel('Email or phone number').fill(phone);
  await fresh.getByRole('button', { name: 'Forgot your password?' }).click();
  await fresh.getByRole('button', { name: 'Send me the code' }).click();
  await expect(fresh.getByLabel('6-digit code')).toBeVisible();
  await expect
    .poll(
      async () =>
        (await get<{ letters: { to: string }[] }>('/demo/outbox')).letters.filter(({ to }) => to === phone)
          .length,
    )
    .toBe(2);
  await fresh.getByLabel('6-digit code').fill(await codeFor(phone));
  await fresh.getByLabel('New password', { exact: true }).fill('seventeen quiet ducks');
  await fresh.getByRole('button', { name: 'Save new password' }).click();
  await fresh.waitForURL((at) => at.pathname === '/');
  await post('/access/login', { email, password: 'seventeen quiet ducks' });
});

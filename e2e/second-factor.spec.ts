import { expect, type Page } from '@playwright/test';
import { codeShown } from '../server/testing/authenticator.ts';
import { test } from './journey.ts';
import { get, newPerson, post, serverUrl, signUpWithProfile } from './people.ts';

const password = 'a long way together';

/** Gives the page's browser a virtual authenticator that stores passkeys and confirms its user. */
async function plugInDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/pages/account/settings2');
  await page.getByRole('button', { name: /^Sign out .*@/ }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('You’re signed out')).toBeVisible();
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.goto('/pages/auth/signin?returnTo=/pages/account/security');
  await page.getByLabel('Email or phone number').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a person adds a passkey and an authenticator app, signs in with each, and with a recovery code', async ({
  browser,
}) => {
  const { accessToken } = await signUpWithProfile('Petra');
  const { email } = await get<{ email: string }>('/user/profile', accessToken);
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  const page = await context.newPage();
  await plugInDevice(page);
  await typePassword(page, email);
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  await page.goto('/pages/account/settings2');
  await page.getByRole('link', { name: /^Two-step sign-in and passkeys/ }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(saved.getByRole('listitem')).toHaveCount(10);
  const codes = await saved.getByRole('listitem').allTextContents();
  await saved.getByRole('button', { name: 'I saved them' }).click();
  await page.getByRole('button', { name: /^Rename / }).click();
  const rename = page.getByRole('dialog', { name: 'Rename this passkey' });
  await rename.getByLabel('Name').fill('Blue laptop');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Blue laptop')).toBeVisible();

  await page.getByRole('button', { name: 'Set up' }).click();
  const setUp = page.getByRole('dialog', { name: 'Set up your authenticator app' });
  const secret = (await setUp.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '';
  await setUp.getByLabel('Code from the app').fill('000000');
  await setUp.getByRole('button', { name: 'Turn on' }).click();
  await expect(setUp.getByText('That code isn’t right.')).toBeVisible();
  await setUp.getByLabel('Code from the app').fill(codeShown(secret, new Date(), -1));
  await setUp.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText(/^On since/)).toBeVisible();

  // Without a password.
  await signOut(page);
  await page.goto('/pages/auth/signin?returnTo=/pages/account/security');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('Blue laptop')).toBeVisible();
  await expect(page.getByText(/^Last used/)).toBeVisible();

  // After the password: the passkey, a code, a recovery code.
  await signOut(page);
  await typePassword(page, email);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Blue laptop')).toBeVisible();
  await signOut(page);
  await typePassword(page, email);
  await page.getByRole('button', { name: 'Use your authenticator app' }).click();
  await page.getByLabel('Code from the app').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('That code isn’t right.')).toBeVisible();
  await page.getByLabel('Code from the app').fill(codeShown(secret, new Date()));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Blue laptop')).toBeVisible();
  await signOut(page);
  await typePassword(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('9 codes left')).toBeVisible();

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Remove Blue laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('9 codes left')).toHaveCount(0);
});

test('a person who signed in a while ago confirms their identity before they get their data', async ({
  browser,
}) => {
  const { page } = await newPerson(browser, 'Dora');
  const { now } = await get<{ now: string }>('/app/config');
  await post('/demo/clock', { to: new Date(Date.parse(now) + 11 * 60_000).toISOString() });
  await page.goto('/pages/account/settings2');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByLabel('Password', { exact: true }).fill('not the right one');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByText('That password isn’t right.')).toBeVisible();
  // After the dialog is closed, nothing is downloaded.
  await proof.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Please confirm that it’s you first.')).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  await proof.getByLabel('Password', { exact: true }).fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await expect(proof).toHaveCount(0);
});

test('the journeys use an address with a host name, which passkeys need', () => {
  expect(new URL(serverUrl()).hostname).toBe('localhost');
});

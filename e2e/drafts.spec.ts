import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, post, sessionOn, tomorrow, type Person } from './people.ts';

test.use({ serviceWorkers: 'allow' });

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });

/** What a browser keeps for this site. */
const keptBy = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage).toSorted(),
    tab: Object.keys(sessionStorage).filter((key) => key.startsWith('sameway.')),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    // The app's own files are no one's.
    caches: (await caches.keys()).filter((name) => !/precache|sameway-app/.test(name)),
    words: JSON.stringify(Object.entries(localStorage)),
  }));

const fieldsOf = (page: Page) => ({
  message: page.getByLabel('Message', { exact: true }),
  plate: page.getByLabel('License plate'),
  name: page.getByLabel('Name', { exact: true }).first(),
});

async function reloadForms(page: Page): Promise<void> {
  const { message, plate, name } = fieldsOf(page);
  await page.goto('/pages/feedback/feedback');
  await message.fill('The map has no pier');
  await page.reload();
  await expect(message).toHaveValue('The map has no pier');
  await page.goto('/pages/car/editor');
  await plate.fill('8ABC123');
  await page.getByRole('button', { name: /^Brand/ }).click();
  await page.getByRole('button', { name: 'Honda', exact: true }).click();
  await expect(page).toHaveURL(/\/pages\/car\/models/);
  await page.goto('/pages/car/editor');
  await expect(plate).toHaveValue('8ABC123');
  await expect(page.getByText('Honda')).toBeVisible();
  await page.goto('/pages/account/settings2');
  await name.fill('Mia the Second');
  await page.reload();
  await expect(name).toHaveValue('Mia the Second');
}

async function signOut({
  mia,
  email,
  rideId,
}: {
  mia: Person;
  email: string;
  rideId: string;
}): Promise<void> {
  const { page } = mia;
  const { name } = fieldsOf(page);
  await page.goto(`/pages/order/detail?id=${rideId}`);
  await expect(page.getByText('Mission Street').first()).toBeVisible();
  await page.goto('/pages/account/settings2');
  await expect(name).toHaveValue('Mia the Second');
  const before = await keptBy(page);
  const { id } = await sessionOn(page);
  expect(before.local).toEqual(
    expect.arrayContaining(['sameway.drafts', 'sameway.lastPerson', 'sameway.reads', 'sameway.session']),
  );
  expect(before.words).toContain('8ABC123');
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('You’re signed out')).toBeVisible();
  const { local, words, ...others } = await keptBy(page);
  // The page that is open now begins a guest's plan with a time, a guest's session and what guests read.
  expect(
    local.filter(
      (key) =>
        !/^sameway\.(introSeen|language|upgradeIgnored|firstLaunch|installation|renewedAt|session|drafts|reads)$/.test(
          key,
        ),
    ),
  ).toEqual([]);
  for (const trace of [mia.name, 'Mia the Second', email, '8ABC123', 'Honda', 'Mission Street', id])
    expect(words).not.toContain(trace);
  expect(others).toEqual({ tab: [], databases: [], caches: [] });
}

test('what is typed outlives a reload and a lost session, and nothing of a person outlives signing out', async ({
  browser,
}) => {
  const mia = await newPerson(browser, 'Mia');
  const { page } = mia;
  const { email } = await mia.get<{ email: string }>('/user/profile');
  const { id } = await mia.post<{ id: string }>('/order/create', {
    order: {
      role: 'driver',
      note: '',
      contactWith: 'chat',
      visibility: 'all users',
      from: place('Mission Street', -122.0408, 36.9689),
      to: place('Aptos Village', -121.9027, 36.9772),
      departsAt: await tomorrow(90),
      seats: 2,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
      maxDetourMinutes: 25,
    },
  });
  const { message } = fieldsOf(page);

  await test.step('a form is as it was after a reload: feedback, vehicle with its brand, profile', () =>
    reloadForms(page));

  await test.step('a session that ends leads to sign-in and back to the words as they were', async () => {
    const { accessToken: token } = await sessionOn(page);
    await post('/access/logout', {}, token);
    await page.goto('/pages/feedback/feedback');
    await expect(page).toHaveURL(/\/pages\/auth\/auth\?returnTo=/);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).fill('a long way together');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(message).toHaveValue('The map has no pier');
  });

  await test.step('what was sent is no draft any more', async () => {
    await page.getByLabel('Subject').fill('Pier');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await expect(page.getByText('Thanks, we got your message')).toBeVisible();
    await page.goto('/pages/feedback/feedback');
    await expect(message).toHaveValue('');
  });

  await test.step('signing out empties the device', () => signOut({ mia, email, rideId: id }));
});

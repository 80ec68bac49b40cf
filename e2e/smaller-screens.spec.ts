import { expect, type Browser, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { adminSession } from './money.ts';
import { callsOf, get, newPerson, openSignedIn, serverUrl } from './people.ts';

interface Letter {
  to: string;
  subject: string;
  text: string;
}
const emailsTo = async (email: string) =>
  (await get<{ letters: Letter[] }>('/demo/outbox')).letters.filter(({ to }) => to === email);

async function readDocuments(page: Page): Promise<void> {
  await page.goto('/pages/legal/legal');
  await page.getByRole('link', { name: /^Payment and cancellation/ }).click();
  await expect(page).toHaveURL(/\/pages\/legal\/payment$/);
  for (const words of [
    'the passenger’s card gets a temporary hold, not a charge',
    'More than 24 hours before the ride departs, or before the ride is confirmed: free.',
    'Within 24 hours of departure: 50 % of the share. Within 2 hours: 100 %.',
    'may lose the account for excessive cancellations without 24 hours notice',
    'All prices are in US dollars.',
    'Transaction and service fees are deducted from the driver’s receipt',
    'Requests to delete an account are fulfilled within 30 days',
  ])
    await expect(page.getByText(words, { exact: false })).toBeAttached();
  await page.goto('/pages/legal/legal');
  for (const [name, path] of [
    ['Terms of service', 'teams'],
    ['Privacy', 'privacy'],
    ['Messages you agree to', 'optin'],
    ['Carpool rules', 'carpool'],
  ]) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await expect(page).toHaveURL(new RegExp(`/pages/legal/${path}$`));
    await page.getByRole('button', { name: 'Back' }).click();
  }
}

async function signUpOnOneForm(page: Page, email: string): Promise<void> {
  await page.goto('/pages/login/signup');
  await page.getByLabel('Email').fill('first.of.all');
  await page.getByLabel('Password', { exact: true }).fill('a long way together');
  await page.getByRole('button', { name: 'Send me the code' }).click();
  await expect(page.getByText('Email format error.')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me the code' }).click();
  await expect.poll(async () => (await emailsTo(email)).length).toBe(1);
  await page.getByLabel('6-digit code').fill(/\b\d{6}\b/.exec((await emailsTo(email))[0]!.subject)![0]);
  await expect(page).toHaveURL(/\/pages\/auth\/profile/);
  await page.getByLabel('First name').fill('Fern First');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page).toHaveURL(/\/$/);
}

async function signInElsewhere(browser: Browser, email: string): Promise<void> {
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  const other = await context.newPage();
  await other.goto('/pages/auth/auth?returnTo=/pages/car/car');
  await other.getByLabel('Email').fill(email);
  await other.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(other).toHaveURL(/\/pages\/auth\/signin/);
  await other.getByLabel('Password', { exact: true }).fill('a long way together');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other).toHaveURL(/\/pages\/car\/car$/);
  await context.close();
}

test('a first visit: the introduction, the rules, a classic sign-up, and everything in Chinese', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: serverUrl() })).newPage();
  const email = `first.${Date.now().toString(36)}@example.com`;

  await test.step('three steps greet whoever opens the app for the first time, once', async () => {
    await page.goto('/');
    // Over the driver page, which is the entry page all the same; the introduction has an address of its own
    // too.
    const introduction = page.getByRole('dialog', { name: 'Introduction' });
    await expect(introduction).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    const titles = ['Going the same way? Share the car.', 'Know the detour to the minute'];
    for (const title of titles) {
      // The words of the page's HTML stay behind it until it has faded in.
      await expect(introduction.getByRole('heading', { name: title })).toBeVisible();
      await introduction.getByRole('button', { name: 'Next' }).click();
    }
    await page.getByRole('button', { name: 'I’m driving' }).click();
    await expect(page).toHaveURL(/\/$/);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Where are you driving?' })).toBeVisible();
  });

  await test.step('the five documents are a tap away, and say what the app counts by', () =>
    readDocuments(page));

  await test.step('everything on one form, refused in the words of the specification, then the code', () =>
    signUpOnOneForm(page, email));

  await test.step('a known e-mail leads to its password, on any device', () =>
    signInElsewhere(browser, email));

  await test.step('Chinese is one tap in the settings, and is kept', async () => {
    await page.goto('/pages/account/settings2');
    await page.getByRole('radio', { name: '简体中文' }).click();
    await expect(page.getByRole('heading', { name: '设置', exact: true })).toBeVisible();
    await page.goto('/pages/account/account');
    await expect(page).toHaveTitle('我的');
    await expect(page.getByRole('navigation', { name: '主导航' }).getByRole('link')).toHaveText([
      /拼车/,
      /活动/,
      /发现/,
      /我的/,
    ]);
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    expect(await (await callsOf(page)).get('/user/profile')).toMatchObject({
      language: 'zh',
      firstName: 'Fern First',
    });
  });
});

/** The first chart of the statistics has bars that can be seen, and none leaves it. */
async function seeBars(page: Page): Promise<void> {
  const chart = page.locator('figure').first();
  await expect(chart).toBeVisible();
  const bars = await chart.evaluate((figure) => {
    const { left, right } = figure.getBoundingClientRect();
    const rects = Array.from(figure.querySelectorAll('[data-bar]'), (bar) => bar.getBoundingClientRect());
    return rects
      .filter(({ height }) => height > 0)
      .map((bar) => bar.width >= 3 && bar.left >= left && bar.right <= right);
  });
  expect(bars.length).toBeGreaterThan(0);
  expect(bars).not.toContain(false);
}

test('a tag, an invitation, and a message that an admin reads', async ({ browser }) => {
  const mia = await newPerson(browser, 'Mia');
  const { page } = mia;

  await test.step('a tag is made, filled, taken from somebody and deleted', async () => {
    const leo = await newPerson(browser, 'Leo');
    const { code } = await leo.get<{ code: string }>('/contact/qrcode');
    await mia.post('/contact/scan', { code });
    await page.goto('/pages/contact/tags');
    await page.getByRole('button', { name: 'New tag' }).click();
    await page.getByRole('button', { name: 'Save tag' }).click();
    await expect(page.getByText('Please enter a name for the tag.')).toBeVisible();
    await page.getByLabel('Tag name').fill('Choir');
    await page.getByRole('button', { name: 'Save tag' }).click();
    await expect(page).toHaveURL(/\/pages\/contact\/tagdetail\?id=/);
    await page.getByRole('button', { name: 'Add people' }).click();
    await page.getByRole('dialog').getByText(leo.name).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add to tag' }).click();
    await expect(page.getByText('1 person', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: `Remove ${leo.name} from the tag` }).click();
    await expect(page.getByText('No contacts with this tag yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete tag' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No tags yet')).toBeVisible();
  });

  await test.step('an invitation by link, and by an email that leads to it', async () => {
    await page.goto('/pages/account/invite');
    const link = await page.getByLabel('Invite link').inputValue();
    expect(link).toMatch(/\/intro\?inviter=[\w-]+$/);
    await expect(page.getByRole('img', { name: 'QR code with the invite link' })).toBeVisible();
    await page.getByLabel('Their email').fill('nobody');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('Email format error.')).toBeVisible();
    const friend = `friend.${Date.now().toString(36)}@example.com`;
    await page.getByLabel('Their email').fill(friend);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('Invitation sent')).toBeVisible();
    await expect.poll(async () => (await emailsTo(friend))[0]?.text ?? '').toContain('/intro?inviter=');
  });

  await test.step('a message to support needs words; an admin reads and answers it, and sees the figures', async () => {
    await page.goto('/pages/feedback/feedback');
    await page.getByLabel('Subject').fill(`The map of ${mia.name}`);
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await expect(page.getByText('Please leave a message.')).toBeVisible();
    await page.getByLabel('Message').fill('It shows <b>nothing</b> at the pier.');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await expect(page.getByText('Thanks, we got your message')).toBeVisible();

    const admin = await openSignedIn(browser, await adminSession());
    await admin.page.goto('/pages/admin/admin?view=tickets&kind=feedback');
    await admin.page.getByRole('link', { name: new RegExp(`The map of ${mia.name}`) }).click();
    await expect(admin.page.getByText('It shows <b>nothing</b> at the pier.')).toBeVisible();
    await admin.page.getByLabel(/^Answer to/).fill('Thank you, the pier is on it now.');
    await admin.page.getByRole('button', { name: 'Send answer' }).click();
    const { email } = await mia.get<{ email: string }>('/user/profile');
    await expect
      .poll(async () => (await emailsTo(email)).map(({ text }) => text).join('\n'))
      .toContain('Thank you, the pier is on it now.');

    await admin.page.goto('/pages/admin/statistics');
    await seeBars(admin.page);
    await admin.page.getByRole('radiogroup', { name: 'Show New people as' }).getByText('Table').click();
    await expect(admin.page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
  });
});

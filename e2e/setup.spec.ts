import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { readEnvelope } from '../server/testing/envelopes.ts';
import { codeShown } from '../server/testing/authenticator.ts';
import { openMailServer, type MailServer } from '../server/testing/mail-server.ts';
import { violationsOn } from './axe.ts';
import { test } from './journey.ts';
import { newDataFolder, startServer, type RunningServer } from './server.ts';

// A separate installation without accounts.
let data: ReturnType<typeof newDataFolder>;
let mail: MailServer;
let server: RunningServer;
let settings: Record<string, string>;

test.beforeAll(async () => {
  data = newDataFolder();
  mail = await openMailServer();
  settings = { DEMO: '0', SMTP_URL: mail.url, MAIL_FROM: 'Town <rides@example.com>' };
  server = await startServer(data.folder, settings);
});
test.afterAll(async () => {
  await server.stop();
  await mail.close();
  data.remove();
});

const link = () =>
  `${server.url}/pages/setup/setup#${fs.readFileSync(path.join(data.folder, 'setup-token'), 'utf8').trim()}`;
const pictures = process.env['SETUP_PICTURES'];
/** The owner's browser, signed in. */
let ownerState: Awaited<ReturnType<BrowserContext['storageState']>>;

async function addAuthenticator(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up' }).click();
  const setUp = page.getByRole('dialog', { name: 'Set up your authenticator app' });
  const secret = (await setUp.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '';
  await setUp.getByLabel('Code from the app').fill(codeShown(secret, new Date()));
  await setUp.getByRole('button', { name: 'Turn on' }).click();
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await saved.getByRole('button', { name: 'I saved them' }).click();
  await expect(page.getByText(/^On since/)).toBeVisible();
}

/** Runs `npm run admin` against the same installation. */
async function admin(...words: string[]): Promise<string> {
  const script = path.resolve(import.meta.dirname, '..', 'scripts', 'admin.ts');
  const env = { ...process.env, ...settings, NODE_ENV: 'test', DATA_DIR: data.folder, REGION: 'santa-cruz' };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...words], { env });
  return stdout.trim();
}

/** Opens home until it answers with this status: the server learns of the command a moment later. */
const untilAnswered = (page: Page, status: number) =>
  expect(async () => {
    expect((await page.goto(`${server.url}/`))?.status()).toBe(status);
  }).toPass();

test('the setup page in Chinese, on a desktop', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link());
  await expect(page.getByRole('heading', { name: '设置您的顺路' })).toBeVisible();
  await page.getByRole('button', { name: '测试地区' }).click();
  await expect(page.getByText(/一切正常：共 [\d,]+ 个地点/)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/setup-zh.png` });
  await page.goto(`${server.url}/pages/setup/setup#another`);
  await page.reload();
  await expect(page.getByText('这个设置链接已经失效')).toBeVisible();
});

test('an operator tests the configuration, becomes the owner, closes Sameway for maintenance and opens it again', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const address = link();
  await page.goto(address);
  await expect(page.getByText('isn’t encrypted', { exact: false })).toBeVisible();

  await page.getByRole('button', { name: 'Test the region' }).click();
  await expect(page.getByText(/It works: [\d,]+ places\. The drive to .+ takes \d+ min\./)).toBeVisible();

  await page.getByLabel('Send a test email to').fill('olga@');
  await page.getByRole('button', { name: 'Send a test email' }).click();
  await expect(page.getByText('Email format error.')).toBeVisible();
  await page.getByLabel('Send a test email to').fill('olga@example.com');
  await page.getByRole('button', { name: 'Send a test email' }).click();
  await expect(page.getByText('The mail server accepted it.', { exact: false })).toBeVisible();
  expect(mail.received).toHaveLength(1);

  await page.getByRole('button', { name: 'Test card payments' }).click();
  await expect(page.getByText('It works: the account acct_sandbox can take money.')).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/setup-en.png` });

  await page.getByLabel('Name').fill('Olga Owner');
  await page.getByLabel('Email', { exact: true }).fill('olga@example.com');
  await page.getByLabel('Password', { exact: true }).fill('seven purple kettles');
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/setup-form.png` });
  await page.getByRole('button', { name: 'Create the owner’s account' }).click();
  // The admin area requires a second factor first.
  await expect(page).toHaveURL(/\/pages\/account\/security/);
  await addAuthenticator(page);
  await page.goto(`${server.url}/pages/admin/admin`);
  await expect(page.getByRole('tab', { name: 'Settings' })).toBeVisible();
  expect(fs.existsSync(path.join(data.folder, 'setup-token'))).toBe(false);

  const other = await (await browser.newContext()).newPage();
  await other.goto(address);
  await expect(other.getByText('This setup link doesn’t work any more')).toBeVisible();

  expect(await admin('maintenance', 'on', '--message', 'Back at 3 PM.')).toContain('Back at 3 PM.');
  await untilAnswered(other, 503);
  await expect(other.getByRole('heading', { name: 'Sameway is closed for maintenance' })).toBeVisible();
  await expect(other.getByText('Back at 3 PM.')).toBeVisible();
  expect(await violationsOn(other)).toEqual([]);
  // The owner can keep working.
  await page.goto(`${server.url}/pages/admin/admin?view=audit`);
  await expect(page.getByText('Closed Sameway for maintenance')).toBeVisible();
  await page.goto(`${server.url}/pages/admin/admin?view=settings`);
  await expect(page.getByText('Closed since', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Open again' }).click();
  await expect(page.getByText('Sameway is open.')).toBeVisible();
  expect((await other.goto(`${server.url}/`))?.status()).toBe(200);

  // The settings page shows no secret.
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await expect(row('SMTP_URL')).toContainText(/smtp:\/\/…@127\.0\.0\.1:\d+.*Environment/);
  await expect(row('MATCHING_SECRET')).toContainText(/Not set.*Secret.*Default/);
  expect(await page.content()).not.toContain('user:password');
  await page.getByLabel('Find a setting').fill('backup key');
  await expect(row('BACKUP_KEY')).toBeVisible();
  await expect(row('SMTP_URL')).toBeHidden();
  await page.getByLabel('Find a setting').fill('');
  expect(await violationsOn(page)).toEqual([]);
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/settings-en.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/settings-wide.png` });
  await page.getByRole('button', { name: 'Close for maintenance' }).click();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole('dialog').getByLabel('Message').fill('Back soon.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close for maintenance' }).click();
  await expect(page.getByText('Closed since', { exact: false })).toBeVisible();
  expect((await other.goto(`${server.url}/`))?.status()).toBe(503);
  expect(await admin('maintenance', 'off')).toBe('Sameway is open to people.');
  await untilAnswered(other, 200);
  ownerState = await context.storageState();
});

/** Calls this installation and returns the data of its answer. */
async function post<T>(at: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(server.url + at, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const envelope = readEnvelope(await answer.json());
  expect(envelope, envelope.info).toMatchObject({ code: 200 });
  return envelope.data as T;
}

const sunniva = { email: 'sunniva@example.com', password: 'nine green bicycles' };

/** Signs a person up with the code from the email that the mail server received. */
async function signUp(name: string): Promise<void> {
  const { email } = sunniva;
  await post('/access/signup', sunniva);
  const codeOf = () => /^\D*(\d{6})\D*$/m.exec(mail.received.find((sent) => sent.includes(email)) ?? '')?.[1];
  await expect.poll(codeOf).toBeDefined();
  const { accessToken } = await post<{ accessToken: string }>('/access/verify-email', {
    email,
    code: codeOf(),
  });
  await post('/user/create', { name, firstName: name, language: 'en' }, accessToken);
}

test('the owner gives a person a role; the admin area opens once that person has a second factor', async ({
  browser,
}) => {
  await signUp('Sunniva');
  const ownerWindow = await browser.newContext({
    storageState: ownerState,
    viewport: { width: 1440, height: 900 },
  });
  const owner = await ownerWindow.newPage();
  await owner.goto(`${server.url}/pages/admin/admin?view=users`);
  await owner.getByLabel('Name, email or phone').fill('sunniva');
  await owner.getByRole('button', { name: 'Role of Sunniva' }).click();
  const dialog = owner.getByRole('alertdialog', { name: 'Sunniva’s role' });
  await expect(dialog.getByRole('radio', { name: /^No role/ })).toBeChecked();
  await dialog.getByRole('radio', { name: /^Support/ }).check();
  expect(await violationsOn(owner)).toEqual([]);
  if (pictures !== undefined) await owner.screenshot({ path: `${pictures}/role-en.png` });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(owner.getByText('Sunniva: Support')).toBeVisible();
  await expect(owner.getByRole('listitem').filter({ hasText: 'sunniva@example.com' })).toContainText(
    'Support',
  );

  const session = await post('/access/login', sunniva);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await context.addInitScript((kept) => {
    localStorage.setItem('sameway.introSeen', 'true');
    if (localStorage.getItem('sameway.session') === null) localStorage.setItem('sameway.session', kept);
  }, JSON.stringify(session));
  const page = await context.newPage();
  await page.goto(`${server.url}/pages/admin/admin`);
  await expect(
    page.getByText('Your role on the team requires two-step sign-in.', { exact: false }),
  ).toBeVisible();
  await addAuthenticator(page);
  await page.goto(`${server.url}/pages/admin/admin`);
  await expect(page.getByRole('tab', { name: 'Tickets' })).toBeVisible();
  // Tabs that her role cannot use are not shown.
  await expect(page.getByRole('tab', { name: 'Settings' })).toHaveCount(0);

  await owner.getByRole('button', { name: 'Role of Sunniva' }).click();
  await dialog.getByRole('radio', { name: /^No role/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(owner.getByText('Sunniva: No role')).toBeVisible();
});

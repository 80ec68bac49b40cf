import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test as journey } from './journey.ts';
import { startFront, type Front } from './newer-build.ts';
import { startOwnServer } from './own-server.ts';
import { get, post, serverUrl } from './people.ts';
import { untilServed } from './service-worker.ts';

/** A front of its own for each journey, through which the app is opened and updated. */
const test = journey.extend<{ front: Front; cacheControl: string | undefined }>({
  cacheControl: [undefined, { option: true }],
  front: async ({ cacheControl }, lend) => {
    const front = await startFront(serverUrl(), { cacheControl });
    await lend(front);
    await front.close();
  },
});
test.use({ serviceWorkers: 'allow' });

let stopServer: () => Promise<void>;
// Of the demo's first day: with a chat that is open and a review to write.
test.beforeAll(async () => {
  stopServer = await startOwnServer();
});
test.afterAll(() => stopServer());

const typed = 'half a word';

/** A form: its page, and the field of it that is typed in. */
interface Form {
  name: string;
  path: string;
  field: (page: Page) => Locator;
}

const signUpForm: Form = {
  name: 'sign-up',
  path: '/pages/login/signup',
  field: (page) => page.getByLabel('Email'),
};

function formsOf(roomid: string, bookingId: string): Form[] {
  return [
    {
      name: 'feedback',
      path: '/pages/feedback/feedback',
      field: (page) => page.getByLabel('Message', { exact: true }),
    },
    {
      name: 'profile',
      path: '/pages/account/settings2',
      field: (page) => page.getByLabel('Name', { exact: true }).first(),
    },
    { name: 'vehicle', path: '/pages/car/editor', field: (page) => page.getByLabel('License plate') },
    {
      name: 'chat message',
      path: `/pages/chat/message?roomid=${roomid}`,
      field: (page) => page.getByRole('textbox', { name: 'Message' }),
    },
    { name: 'event', path: '/pages/events/edit', field: (page) => page.getByLabel('Name', { exact: true }) },
    {
      name: 'plan of a ride',
      path: '/pages/order/confirm?role=driver',
      field: (page) => page.getByLabel('Note', { exact: false }).first(),
    },
    {
      name: 'review',
      path: `/pages/order/review?bookingId=${bookingId}`,
      field: (page) => page.getByLabel('Your review'),
    },
  ];
}

/** Opens the app through the front, in a window of its own. */
async function openThrough(browser: Browser, front: Front, session: object | null): Promise<Page> {
  const context = await browser.newContext({ baseURL: front.url });
  await context.addInitScript(
    (kept) => {
      localStorage.setItem('sameway.introSeen', 'true');
      if (kept !== null && localStorage.getItem('sameway.session') === null)
        localStorage.setItem('sameway.session', kept);
    },
    session && JSON.stringify(session),
  );
  return context.newPage();
}

/** What browsers do at every visit: they ask whether there is a newer worker. */
const lookForNewer = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).update().then(() => undefined));

/** Waits until the page runs the build that has this mark in its file names. */
const runs = (page: Page, mark: string) =>
  expect(page.locator(`head script[src*="${mark}"]`).first()).toBeAttached();

const strip = (page: Page) => page.getByText('A newer version is ready');

/** A new version comes while a form is filled in, is put off, and then let in; what was typed stays. */
async function updateDuring(page: Page, { path, field }: Form, front: Front): Promise<void> {
  await page.goto(path);
  await untilServed(page);
  // What a page needs after its first screen has come by the time that a person has typed a word.
  await page.waitForLoadState('networkidle');
  await field(page).fill(typed);
  const mark = front.release();
  await lookForNewer(page);
  // Nothing is laid over what is being typed.
  await page.waitForTimeout(700);
  await expect(strip(page)).toHaveCount(0);
  await expect(field(page)).toBeFocused();
  await field(page).blur();
  await expect(strip(page)).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(field(page)).toHaveValue(typed);
  await expect(strip(page)).toHaveCount(0);

  await page.reload();
  await expect(field(page)).toHaveValue(typed);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByRole('dialog', { name: 'Update available' }).getByRole('button', { name: 'Later' }).click();
  await expect(field(page)).toHaveValue(typed);

  await page.reload();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByRole('button', { name: 'Update now' }).click();
  await runs(page, mark);
  await expect(field(page)).toHaveValue(typed);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
}

test('a new version during each of eight forms loses no text, whichever button is tapped', async ({
  browser,
  front,
}) => {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const session = await post<{ accessToken: string }>('/access/login', { email, password: demoPassword });
  const { rooms } = await get<{ rooms: { roomid: string; closed: boolean }[] }>(
    '/im/room-list',
    session.accessToken,
  );
  const { pending } = await get<{ pending: { bookingId: string }[] }>('/review/pending', session.accessToken);
  const open = rooms.find(({ closed }) => !closed)!;
  const guest = await openThrough(browser, front, null);
  await test.step(signUpForm.name, async () => updateDuring(guest, signUpForm, front));
  await guest.context().close();
  const page = await openThrough(browser, front, session);
  for (const form of formsOf(open.roomid, pending[0]!.bookingId))
    await test.step(form.name, async () => updateDuring(page, form, front));
});

test('a page that was open before an update opens its other pages in the new version, and what was typed is there', async ({
  browser,
  front,
}) => {
  const page = await openThrough(browser, front, null);
  const field = signUpForm.field(page);
  await page.goto(signUpForm.path);
  await untilServed(page);
  await field.fill(typed);
  // The files of the open page are gone, and a guest's worker has cached none but those it has used.
  const mark = front.release();
  await page.getByRole('link', { name: /Sign in/ }).click();
  await expect(page).toHaveURL(/\/pages\/login\/login/);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await runs(page, mark);
  await page.goBack();
  await expect(field).toHaveValue(typed);
});

test.describe('where neither the browser nor its worker has kept more than the shell of the page', () => {
  test.use({ cacheControl: 'no-store' });

  test('a page that is loaded again when all of its files are gone comes in the new version, and what was typed is there', async ({
    browser,
    front,
  }) => {
    front.release();
    const page = await openThrough(browser, front, null);
    const field = signUpForm.field(page);
    await page.goto(signUpForm.path);
    await untilServed(page);
    await field.fill(typed);
    const mark = front.release();
    await page.evaluate(() => caches.delete('sameway-app'));
    await page.reload();
    await runs(page, mark);
    await expect(field).toHaveValue(typed);
  });
});

test('home loaded again takes calls alone from the network: up to ten kilobytes', async ({
  browser,
  front,
}) => {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const session = await post<{ accessToken: string }>('/access/login', { email, password: demoPassword });
  // A person who is signed in reads more than a guest, and once more when live updates begin: what has not
  // changed is not sent again.
  for (const [who, kept] of [
    ['a guest', null],
    ['a person who is signed in', session],
  ] as const) {
    const page = await openThrough(browser, front, kept);
    await page.goto('/');
    await untilServed(page);
    await page.waitForLoadState('networkidle');
    await page.reload();
    await page.waitForLoadState('networkidle');
    const files: string[] = [];
    page.on('response', (answer) => {
      if (!answer.fromServiceWorker() && answer.url().includes('/assets/')) files.push(answer.url());
    });
    const before = front.sentBytes();
    await page.reload();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(2000);
    const bytes = front.sentBytes() - before;
    test.info().annotations.push({ type: who, description: `${bytes} bytes` });
    expect(bytes, who).toBeLessThanOrEqual(10_000);
    expect(files).toEqual([]);
    await page.context().close();
  }
});

import { expect, type Browser } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { violationsOn } from './axe.ts';
import { test } from './journey.ts';
import { joinedRide } from './orders.ts';
import { startOwnServer } from './own-server.ts';
import { get, newPerson, openSignedIn, password, post, signUpWithProfile, type Person } from './people.ts';

let end: () => Promise<void>;
test.beforeAll(async () => {
  end = await startOwnServer();
});
test.afterAll(() => end());

/** Folder for pictures of the new screens; none are taken without it. */
const pictures = process.env['TICKET_PICTURES'];

/** Takes a screen on a phone and on a desktop. */
async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures === undefined) return;
  const before = page.viewportSize();
  for (const [size, width, height] of [
    ['phone', 390, 844],
    ['desktop', 1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${pictures}/${name}-${size}.png`, animations: 'disabled' });
  }
  if (before !== null) await page.setViewportSize(before);
}

/** A person on the team who reads reports. */
async function moderatorOf(browser: Browser): Promise<Person> {
  const { email } = demoAccounts.find(({ role }) => role === 'admin')!;
  const admin = await post<{ accessToken: string }>('/access/login', { email, password: demoPassword });
  const { accessToken } = await signUpWithProfile('Morgan');
  const own = await get<{ id: string; email: string }>('/user/profile', accessToken);
  await post('/admin/give-role', { id: own.id, role: 'moderator' }, admin.accessToken);
  return openSignedIn(browser, await post('/access/login', { email: own.email, password }));
}

const say = ({ post: call }: Person, roomid: string, text: string) =>
  call('/im/send', { roomid, clientId: crypto.randomUUID(), text });

interface Three {
  driver: Person;
  rider: Person;
  moderator: Person;
}

async function reportMessage({ driver, rider }: Three, rideId: string): Promise<void> {
  const { page } = rider;
  await page.goto(`/pages/chat/message?roomid=${rideId}`);
  await page
    .getByRole('log')
    .getByRole('button', { name: /Be there or walk/ })
    .click();
  await page.getByRole('button', { name: 'Report message' }).click();
  const dialog = page.getByRole('dialog', { name: `Report ${driver.name}` });
  await expect(dialog.getByRole('figure')).toContainText('Be there or walk, idiot.');
  await dialog.getByLabel('Harassment or insults').check();
  await dialog.getByLabel('Tell us more').fill('This is how the driver talks to me.');
  await picture(rider, 'report');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Thanks. We’ll look into it.')).toBeVisible();
}

async function takeTicket({ driver, moderator }: Three): Promise<void> {
  const { page } = moderator;
  await page.goto('/pages/admin/admin?view=tickets&kind=report');
  await expect(page.getByRole('tab', { name: 'Tickets' })).toHaveAttribute('aria-selected', 'true');
  const row = page.getByRole('link', { name: `Report about ${driver.name}` });
  await expect(row).toBeVisible();
  await picture(moderator, 'list');
  await row.click();
  const reported = page.getByRole('list', { name: 'Reported message' });
  await expect(reported.getByRole('listitem')).toHaveCount(3);
  await expect(reported.locator('[aria-current]')).toContainText('Be there or walk, idiot.');
  await page.getByRole('button', { name: 'Take it' }).click();
  await expect(page.getByRole('complementary').getByText(moderator.name)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
}

async function answerTicket({ rider, moderator }: Three): Promise<void> {
  const { page } = moderator;
  const canned = { title: 'We look into it', text: 'Hi {name},\nwe’re looking into this.', language: 'en' };
  await moderator.post('/admin/save-canned-answer', canned);
  await page.getByRole('button', { name: 'Use a canned answer' }).click();
  const choice = page.getByRole('button', { name: /We look into it/ });
  await expect(choice).toBeVisible();
  await picture(moderator, 'canned');
  await choice.click();
  const field = page.getByLabel(`Answer to ${rider.name}`);
  await expect(field).toHaveValue('Hi Robin,\nwe’re looking into this.');
  await field.fill('Hi Robin,\nwe’re looking into this today.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Answer sent')).toBeVisible();
  await page.getByRole('radio', { name: 'Internal note' }).check();
  await page.getByLabel('Note for the team').fill('Second report this week.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Second report this week.');
  await picture(moderator, 'ticket');
}

async function readAndReply({ driver, rider }: Three): Promise<void> {
  const { page } = rider;
  await page.goto('/pages/account/notifications');
  await page.getByText('You have an answer from the Sameway team').click();
  const thread = page.getByRole('list', { name: 'Messages' });
  await expect(thread).toContainText('looking into this today');
  await expect(thread).not.toContainText('Second report');
  await page.getByLabel('Your reply').fill('Thank you!');
  await picture(rider, 'own-thread');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await expect(thread).toContainText('Thank you!');
  expect(await violationsOn(page)).toEqual([]);
  await page.goto('/pages/feedback/feedback');
  await expect(page.getByRole('link', { name: `Report about ${driver.name}` })).toBeVisible();
  await picture(rider, 'own-list');
}

async function closeTicket({ moderator: { page } }: Three): Promise<void> {
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Thank you!');
  await page.getByRole('button', { name: 'Close ticket' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close this ticket?' });
  await dialog.getByRole('button', { name: 'Close ticket' }).click();
  await expect(dialog.getByLabel('Outcome')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Outcome').fill('Warned the driver.');
  await dialog.getByRole('button', { name: 'Close ticket' }).click();
  await expect(page.getByRole('button', { name: 'Reopen ticket' })).toBeVisible();
}

async function lookInChinese({ driver, rider, moderator }: Three): Promise<void> {
  for (const { page } of [moderator, rider])
    await page.evaluate(() => localStorage.setItem('sameway.language', JSON.stringify('zh')));
  const { page } = moderator;
  await page.reload();
  await expect(page.getByRole('button', { name: '重新打开' })).toBeVisible();
  await picture(moderator, 'ticket-zh');
  await page.getByRole('link', { name: '全部工单' }).click();
  await page.getByRole('radio', { name: '已关闭' }).check();
  await expect(page.getByRole('link', { name: new RegExp(driver.name) })).toBeVisible();
  await picture(moderator, 'list-zh');
  await rider.page.reload();
  const own = rider.page.getByRole('link', { name: `对 ${driver.name} 的举报` });
  await expect(own).toBeVisible();
  await picture(rider, 'own-list-zh');
  await own.click();
  await expect(rider.page.getByText('顺路团队')).toBeVisible();
  await picture(rider, 'own-thread-zh');
}

test('a rider reports a chat message; a moderator sees it in its context, answers, hears back, and closes', async ({
  browser,
}) => {
  const [driver, rider] = [await newPerson(browser, 'Dana'), await newPerson(browser, 'Robin')];
  const three = { driver, rider, moderator: await moderatorOf(browser) };
  const rideId = await joinedRide(driver, rider);
  await say(rider, rideId, 'I’ll wait at the library.');
  await say(driver, rideId, 'Be there or walk, idiot.');
  await say(rider, rideId, 'Please stay polite.');

  await test.step('the rider reports the message', () => reportMessage(three, rideId));
  await test.step('the moderator finds the ticket and takes it', () => takeTicket(three));
  await test.step('answers with a canned answer, edited before it goes', () => answerTicket(three));
  await test.step('the rider is told, reads it and answers back', () => readAndReply(three));
  await test.step('the moderator sees the reply and closes with what came of it', () => closeTicket(three));
  await test.step('in Chinese too', () => lookInChinese(three));
});

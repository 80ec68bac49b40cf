import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { pino } from 'pino';
import { MovableClock } from '../server/platform/clock.ts';
import { databaseOf } from '../server/platform/database/db.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { createCardProvider } from '../server/features/payments/provider/card-provider.ts';
import type { Outcome } from '../server/features/payments/provider/outcomes.ts';
import { createSandbox } from '../stripe-sandbox/server.ts';
import { test } from './journey.ts';
import { newDataFolder } from './server.ts';

function value<T>(outcome: Outcome<T>): T {
  if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}
const key = () => crypto.randomUUID();

const languages = [
  { locale: 'en-US', mark: 'TEST MONEY', card: 'Add a card', save: 'Save this card', yes: 'Yes, confirm' },
  { locale: 'zh-CN', mark: '测试资金', card: '添加银行卡', save: '保存此卡', yes: '是的，确认' },
] as const;

async function expectClean(page: Page, mark: string): Promise<void> {
  await expect(page.getByRole('banner')).toContainText(mark);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
}

interface Journey {
  page: Page;
  provider: ReturnType<typeof createCardProvider>;
  returnUrl: string;
  words: (typeof languages)[number];
}

/** A card that is declined, then one of which the bank asks. @returns the id of the saved card */
async function saveCard({ page, provider, returnUrl, words }: Journey, customerId: string): Promise<string> {
  const { mark, card, save, yes } = words;
  const setup = value(await provider.startCard({ customerId, returnUrl }, key()));
  await page.goto(setup.pageUrl!);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(card);
  await expectClean(page, mark);
  const fill = async (number: string) => {
    await page.locator('input[name=number]').fill(number);
    await page.locator('input[name=expiry]').fill('12/34');
    await page.locator('input[name=cvc]').fill('123');
    await page.getByRole('button', { name: save }).click();
  };
  await fill('4000 0000 0000 0002');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectClean(page, mark);
  await fill('4000 0027 6000 3184');
  await expectClean(page, mark);
  await page.getByRole('button', { name: yes }).click();
  await page.waitForURL(/\/back\?.*redirect_status=succeeded/);
  const [saved] = value(await provider.cards(customerId));
  return saved!.id;
}

/** The driver's papers. @returns the id of the verified account */
async function verifyAccount({ page, provider, returnUrl, words: { mark } }: Journey): Promise<string> {
  const account = value(await provider.createAccount({ email: 'd@example.com', metadata: {} }, key()));
  const link = await provider.onboardingUrl(
    { accountId: account.id, returnUrl, refreshUrl: returnUrl },
    key(),
  );
  await page.goto(value(link));
  await expectClean(page, mark);
  await page.getByRole('button').first().click();
  await page.waitForURL(/\/back$/);
  expect(value(await provider.account(account.id)).state).toBe('verified');
  return account.id;
}

/** A hold on the card that the bank asks about. */
async function confirmHold(
  { page, provider, returnUrl, words: { mark, yes } }: Journey,
  { customerId, cardId, accountId }: { customerId: string; cardId: string; accountId: string },
): Promise<void> {
  const asked = await provider.authorize(
    {
      customerId,
      cardId,
      amountCents: 12_50,
      accountId,
      isPresent: true,
      returnUrl,
      description: 'SW-7KQ2M9',
      metadata: {},
    },
    key(),
  );
  if (asked.outcome !== 'needsAction') throw new Error(asked.outcome);
  await page.goto(asked.actionUrl!);
  await expect(page.getByRole('main')).toContainText('12.50');
  await expectClean(page, mark);
  await page.getByRole('button', { name: yes }).click();
  await page.waitForURL(/\/back\?.*redirect_status=succeeded/);
  expect(value(await provider.payment(asked.value.id)).authorizedCents).toBe(12_50);
}

test('the pages of test money: a card, the bank’s question, a driver’s papers, in both languages', async ({
  browser,
}) => {
  const { folder, remove } = newDataFolder();
  const database = await openDatabase(
    { DATABASE_URL: undefined, DATA_DIR: folder },
    { onError: () => undefined },
  );
  const clock = new MovableClock();
  const secretKey = 'sk_test_pages';
  const sandbox = createSandbox({
    db: databaseOf(database.pool),
    clock,
    log: pino({ level: 'error' }),
    secretKey,
  });
  try {
    const port = await sandbox.listen();
    const home = `http://127.0.0.1:${port}`;
    const pagesUrl = `${home}/test-money`;
    const provider = createCardProvider({
      kind: 'sandbox',
      port,
      pagesUrl,
      secretKey,
      webhookSecrets: [],
      clock,
    });
    // Another origin than the pages', as the app's may be.
    const returnUrl = `http://localhost:${port}/back`;
    for (const words of languages) {
      const context = await browser.newContext({ locale: words.locale });
      const page = await context.newPage();
      const outside: string[] = [];
      page.on('request', (request) => {
        if (!/^(http:\/\/(127\.0\.0\.1|localhost):|data:)/.test(request.url())) outside.push(request.url());
      });

      const customerId = value(
        await provider.createCustomer({ email: 'a@example.com', name: 'A', metadata: {} }, key()),
      );
      const journey: Journey = { page, provider, returnUrl, words };
      const cardId = await saveCard(journey, customerId);
      const accountId = await verifyAccount(journey);
      await confirmHold(journey, { customerId, cardId, accountId });
      expect(outside).toEqual([]);
      await context.close();
    }
  } finally {
    await sandbox.close();
    await database.close();
    remove();
  }
});

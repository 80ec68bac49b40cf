import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { inMinutes, moveClock } from './money.ts';
import { ride, tripRequest } from './orders.ts';
import { get, newPerson, serverUrl } from './people.ts';

test('a driver who never opened the settings accepts a rider from the email, signed out', async ({
  browser,
}) => {
  const [driver, passenger] = [await newPerson(browser, 'Dina'), await newPerson(browser, 'Pia')];
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  const request = await passenger.post<{ id: string }>('/order/create', { order: await tripRequest() });
  await passenger.post('/order/request', { rideId: id, requestId: request.id, message: '' });

  const link = await test.step('the email leaves two minutes later', async () => {
    const soon = await inMinutes(3);
    const answerLink = async () => {
      const { letters: emails } = await get<{ letters: { subject: string; text: string }[] }>('/demo/outbox');
      const text = emails.find(({ subject }) => subject.startsWith(passenger.name))?.text ?? '';
      return /\/pages\/order\/answer\?code=[\w-]+/.exec(text)?.[0] ?? '';
    };
    await expect.poll(() => driver.get('/notification/unread-count')).toEqual({ unread: 1 });
    await moveClock(soon, 0);
    await expect.poll(answerLink, { timeout: 40_000 }).not.toBe('');
    return answerLink();
  });

  const guest = await browser.newContext({ baseURL: serverUrl() });
  const page = await guest.newPage();
  await test.step('its page says who, where and when, and asks for one confirmation', async () => {
    await page.goto(link);
    await expect(
      page.getByRole('heading', { name: `${passenger.name} wants to join your ride` }),
    ).toBeVisible();
    await expect(page.getByText('Mission Street')).toBeVisible();
    await expect(page.getByText('Aptos Village')).toBeVisible();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(page.getByText('You accepted')).toBeVisible();
  });
  await test.step('the link answers once', async () => {
    await page.goto(`${link}&decline=1`);
    await expect(page.getByText('This is already answered')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Decline' })).toHaveCount(0);
    await page.goto('/pages/order/answer?code=made-up');
    await expect(page.getByText('This link no longer works')).toBeVisible();
  });
  const { order } = await passenger.get<{ order: { state: string } }>(`/order/detail?id=${request.id}`);
  expect(order.state).toBe('joined');
  await guest.close();
});

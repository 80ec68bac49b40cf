import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { giveVehicle, inMinutes, moveClock } from './money.ts';
import { callingAgain, get, newPerson, type Person } from './people.ts';

// Far from the demo community's days and those of other journeys, and nearer than a session lives (60 days),
// at any hour of the day.
const minutesAhead = 58 * 24 * 60;

interface Order {
  id: string;
  bookings: { id: string }[];
}

/** A ride of Dora's at noon that Lin has joined. */
async function agreeOnRide(
  dora: Person,
  lin: Person,
  { day, departsAt }: { day: string; departsAt: string },
): Promise<void> {
  const places = {
    from: { name: 'Pacific Avenue', detail: 'Santa Cruz', lon: -122.0263, lat: 36.9741 },
    to: { name: 'Capitola Village', detail: 'Capitola', lon: -121.9533, lat: 36.9722 },
  };
  const ride = await dora.post<Order>('/order/create', {
    order: {
      role: 'driver',
      ...places,
      departsAt,
      seats: 3,
      vehicleId: await giveVehicle(dora),
      priceKind: 'perPerson',
      costCents: 0,
    },
  });
  const request = await lin.post<Order>('/order/create', {
    order: {
      role: 'passenger',
      ...places,
      earliestAt: `${day}T19:50:00.000Z`,
      latestAt: `${day}T20:30:00.000Z`,
      seats: 1,
    },
  });
  const asked = await lin.post<{ order: Order }>('/order/request', {
    rideId: ride.id,
    requestId: request.id,
  });
  await dora.post('/order/accept', { bookingId: asked.order.bookings[0]!.id });
}

test('the evening before, an email in Chinese reminds of the ride and leads to it', async ({ browser }) => {
  const [dora, lin] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Lin')];
  const { page } = lin;

  await test.step('Lin reads Chinese, and has chosen nothing else', async () => {
    await page.goto('/pages/account/settings2');
    await page.getByRole('radio', { name: '简体中文' }).click();
    await expect(page.getByRole('heading', { name: '设置', exact: true })).toBeVisible();
  });

  const day = (await inMinutes(minutesAhead)).slice(0, 10);
  // Noon or one o'clock in Santa Cruz.
  const departsAt = `${day}T20:00:00.000Z`;
  await agreeOnRide(dora, lin, { day, departsAt });

  await test.step('at seven in the evening before, and no email of it sooner', async () => {
    const reminders = async () =>
      (await get<{ letters: { to: string; subject: string }[] }>('/demo/outbox')).letters.filter(
        ({ to, subject }) =>
          to.startsWith(lin.name.toLowerCase().replace(' ', '.')) && subject.includes('将于'),
      );
    // What is seen in the app is not sent after it.
    await page.goto('about:blank');
    await moveClock(departsAt, -20 * 60);
    expect(await reminders()).toEqual([]);
    await moveClock(departsAt, -17 * 60 + 5);
    // The notification is in the app first, and leaves it some minutes later.
    const reader = await callingAgain(lin);
    const kinds = async () =>
      (await reader.get<{ news: { kind: string }[] }>('/notification/list')).news.map(({ kind }) => kind);
    await expect.poll(kinds, { timeout: 40_000 }).toContain('reminder');
    await moveClock(departsAt, -17 * 60 + 10);
    await expect.poll(async () => (await reminders()).length, { timeout: 40_000 }).toBe(1);
  });

  await test.step('it reads as Chinese does, and its link opens the ride in Chinese', async () => {
    await page.goto('/pages/demo/outbox');
    const email = page
      .getByRole('article')
      .filter({ hasText: lin.name.toLowerCase().replace(' ', '.') })
      .filter({
        has: page.getByRole('heading', { name: /^您的行程将于\d+月\d+日 周. 1[23]:\d\d（GMT-[78]）出发$/ }),
      });
    await expect(email).toBeVisible();
    await email.getByRole('button', { name: '查看邮件样式' }).click();
    const drawn = email.locator('iframe').contentFrame();
    await expect(drawn.locator('html')).toHaveAttribute('lang', 'zh-CN');
    // With inline styles in the HTML, which mail apps need.
    await expect(drawn.getByRole('heading')).toHaveCSS('font-size', '22px');
    await email.getByRole('button', { name: '查看纯文本' }).click();
    await email.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/pages\/order\/detail\?id=/);
    await expect(page.getByRole('heading', { name: '行程详情' })).toBeVisible();
    await expect(page.getByText('Dora').first()).toBeVisible();
  });
});

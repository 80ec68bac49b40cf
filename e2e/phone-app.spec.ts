import { expect, type Browser, type Page } from '@playwright/test';
import { tellLocation } from '../contract/trips/endpoints.ts';
import { startCrookedProvider, type CrookedProvider } from '../server/testing/oauth-provider.ts';
import { openPhoneCarriers, type PhoneCarriers } from '../server/testing/phone-carriers.ts';
import { callsTo, happen, insidePhoneApp, move, type PhoneFacts } from './fake-phone.ts';
import { test } from './journey.ts';
import { ride, tripRequest } from './orders.ts';
import { startOwnServer } from './own-server.ts';
import type { Platform } from './phone-plugins.ts';
import { callingAgain, newPerson, post, serverUrl, sessionOn, type Person } from './people.ts';

/** What differs between the two phones: who carries messages, and who knows their person. */
const phones = {
  android: {
    carrier: 'fcm',
    pushToken: `fcm:${'a'.repeat(120)}`,
    provider: 'Google',
    audience: 'the web client',
  },
  // Apple makes its tokens out for the app.
  ios: { carrier: 'apns', pushToken: 'a1'.repeat(32), provider: 'Apple', audience: 'com.example.sameway' },
} as const;
const signInPages = {
  Google: 'https://accounts.google.com/o/oauth2/v2/auth',
  Apple: 'https://appleid.apple.com/auth/authorize',
} as const;
const clientId = phones.android.audience;

let carriers: PhoneCarriers;
let providers: Record<keyof typeof signInPages, CrookedProvider>;
let stopServer: () => Promise<void>;

test.beforeAll(async () => {
  carriers = await openPhoneCarriers();
  // Their addresses are enough for the phone's own account.
  const [Google, Apple] = await Promise.all([
    startCrookedProvider(signInPages.Google),
    startCrookedProvider(signInPages.Apple),
  ]);
  providers = { Google, Apple };
  const known = Object.entries(providers).map(([name, { issuer }]) => ({
    id: name.toLowerCase(),
    name,
    issuer,
    clientId,
    phoneClientIds: [phones.ios.audience],
  }));
  // The servers that the journeys share have no keys of the phones' carriers.
  stopServer = await startOwnServer({ ...carriers.env, OIDC_PROVIDERS: JSON.stringify(known) });
});
test.afterAll(async () => {
  await stopServer();
  carriers.close();
  await Promise.all(Object.values(providers).map((provider) => provider.close()));
});

/** Signs a person up who uses the phone app. */
async function onPhone(
  browser: Browser,
  name: string,
  facts: Pick<PhoneFacts, 'platform'> & Partial<PhoneFacts>,
): Promise<Person> {
  const person = await newPerson(browser, name);
  await insidePhoneApp(person.context, { pushToken: phones[facts.platform].pushToken, ...facts });
  return person;
}

/** Asks a driver for a seat on a ride. */
async function ask(asker: Person, rideId: string): Promise<void> {
  const request = await asker.post<{ id: string }>('/order/create', { order: await tripRequest() });
  await asker.post('/order/request', { rideId, requestId: request.id, message: '' });
}

/** Android has a key for it, an iPhone a swipe that the web view knows by itself. */
const goBack = (page: Page, platform: Platform): Promise<unknown> =>
  platform === 'android' ? happen(page, ['App', 'backButton'], { canGoBack: true }) : page.goBack();

for (const platform of ['android', 'ios'] as const) {
  test(`the phone app: push messages arrive and open their page, the icon counts, links open, rides are shared (${platform})`, async ({
    browser,
  }) => {
    const dora = await onPhone(browser, 'Dora', { platform });
    const { page } = dora;
    const { carrier, pushToken } = phones[platform];
    const { id } = await dora.post<{ id: string }>('/order/create', { order: await ride() });

    await test.step('the phone is connected by its token', async () => {
      await page.goto('/pages/account/settings/notificationSettings');
      await page.getByRole('switch', { name: 'Push notifications on this device' }).click();
      await expect(page.getByText('1 device gets push notifications.')).toBeVisible();
      // Only Android has channels.
      expect(await callsTo(page, 'PushNotifications', 'createChannel')).toMatchObject(
        platform === 'android' ? [{ id: 'news' }] : [],
      );
    });

    await test.step('a message reaches it, and opens its page when it is tapped', async () => {
      await page.goto('/pages/legal/privacy');
      // The app is not in the foreground: notifications leave it.
      await page.evaluate(() => Object.defineProperty(document, 'hasFocus', { value: () => false }));
      await ask(await newPerson(browser, 'Lena'), id);
      const { received } = carriers[carrier];
      await expect.poll(() => received).toHaveLength(1);
      const { token, body } = received[0]!;
      const path = `/pages/order/detail?id=${id}`;
      expect(token).toBe(pushToken);
      // The number on the icon comes with it: the app is not there to set it.
      expect(body).toMatchObject(
        platform === 'android'
          ? { data: { path }, android: { notification: { notification_count: 1 } } }
          : { path, aps: { badge: 1 } },
      );
      await happen(page, ['PushNotifications', 'pushNotificationActionPerformed'], {
        actionId: 'tap',
        notification: { id: '1', data: platform === 'android' ? body['data'] : body },
      });
      await expect(page).toHaveURL(`${serverUrl()}/pages/order/detail?id=${id}`);
      await expect.poll(async () => (await callsTo(page, 'Badge', 'set')).length).toBeGreaterThan(0);
    });

    await test.step('links of this installation open in the app, those of others do not', async () => {
      await happen(page, ['App', 'appUrlOpen'], { url: `${serverUrl()}/pages/legal/carpool` });
      await expect(page).toHaveURL(`${serverUrl()}/pages/legal/carpool`);
      await happen(page, ['App', 'appUrlOpen'], { url: 'https://elsewhere.example/pages/legal/terms' });
      await goBack(page, platform);
      await expect(page).toHaveURL(`${serverUrl()}/pages/order/detail?id=${id}`);
    });

    await test.step('a page is handed to the phone’s share sheet', async () => {
      const noah = await newPerson(browser, 'Noah');
      const other = await noah.post<{ id: string; orderNumber: string }>('/order/create', {
        order: await ride(),
      });
      await page.goto(`/pages/order/detail?id=${other.id}`);
      await page.getByRole('button', { name: 'Share' }).first().click();
      await expect
        .poll(() => callsTo(page, 'Share', 'share'))
        .toMatchObject([{ url: `${serverUrl()}/r/${other.orderNumber}` }]);
    });
  });

  test(`the phone app signs in with the phone’s own account, by a token that the server checks (${platform})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ baseURL: serverUrl() });
    await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
    const { provider, audience, pushToken } = phones[platform];
    const { issuer: iss, sign } = providers[provider];
    const email = `nora.${platform}@example.com`;
    await insidePhoneApp(context, {
      platform,
      pushToken,
      signIdToken: (nonce) =>
        sign({ iss, aud: audience, sub: '1', name: 'Nora', email, email_verified: true, nonce }),
    });
    const page = await context.newPage();
    await page.goto('/pages/auth/auth');
    const verified = page.waitForResponse('**/access/verify');
    await page.getByRole('button', { name: `Continue with ${provider}` }).click();
    expect(await (await verified).json()).toMatchObject({ code: 200, data: { email } });
    await expect(page).not.toHaveURL(/\/pages\/auth\/auth/);
    expect((await sessionOn(page)).accessToken).not.toBe('');
    expect(await callsTo(page, 'SocialLogin', 'initialize')).toMatchObject([
      platform === 'android' ? { google: { webClientId: clientId } } : { apple: {} },
    ]);
    // No page of the provider was opened.
    expect(await callsTo(page, 'Browser', 'open')).toEqual([]);
  });

  test(`a link that starts the phone app opens its page, once (${platform})`, async ({ browser }) => {
    const { page } = await onPhone(browser, 'Mara', {
      platform,
      launchUrl: `${serverUrl()}/pages/legal/carpool`,
    });
    await page.goto('/');
    await expect(page).toHaveURL(`${serverUrl()}/pages/legal/carpool`);
    await page.goto('/pages/legal/terms');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // An iPhone tells of it without being asked.
    expect(await callsTo(page, 'App', 'getLaunchUrl')).toHaveLength(platform === 'android' ? 1 : 0);
    await expect(page).toHaveURL(`${serverUrl()}/pages/legal/terms`);
  });

  test(`the phone app tells where the car is in the background too, until the driver leaves (${platform})`, async ({
    browser,
  }) => {
    const dora = await onPhone(browser, 'Dora', { platform });
    const pat = await newPerson(browser, 'Pat');
    const order = await dora.post<{ id: string; departsAt: string }>('/order/create', {
      order: await ride(),
    });
    const request = await pat.post<{ id: string }>('/order/create', { order: await tripRequest() });
    const asked = await pat.post<{ order: { bookings: { id: string }[] } }>('/order/request', {
      rideId: order.id,
      requestId: request.id,
      message: '',
    });
    await dora.post('/order/accept', { bookingId: asked.order.bookings[0]?.id });
    await post('/demo/clock', { to: new Date(Date.parse(order.departsAt) - 4 * 60_000).toISOString() });

    const rider = await callingAgain(pat);
    const { page } = dora;
    await page.goto(`/pages/order/ride?id=${order.id}`);
    await expect
      .poll(() => callsTo(page, 'BackgroundGeolocation', 'start'))
      .toMatchObject([{ backgroundTitle: 'On your way', requestPermissions: true }]);
    await move(page, { lon: -122.0408, lat: 36.9689 });
    await expect(page.getByText('Riders see your location until the ride ends.')).toBeVisible();
    await expect
      .poll(() => rider.get(`/order/position?id=${order.id}`))
      .toMatchObject({ position: { lon: -122.0408, lat: 36.9689 } });
    // The phone posts it: what a page fetches is slowed down while the screen is off.
    expect(await callsTo(page, 'CapacitorHttp', 'post')).toMatchObject([
      { url: serverUrl() + tellLocation.path, data: { id: order.id, lon: -122.0408, lat: 36.9689 } },
    ]);
    await happen(page, ['App', 'appUrlOpen'], { url: `${serverUrl()}/pages/legal/carpool` });
    await expect.poll(() => callsTo(page, 'BackgroundGeolocation', 'stop')).toHaveLength(1);
  });
}

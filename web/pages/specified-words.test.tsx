import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { roomList, type Room } from '#contract/chat/endpoints.ts';
import { config } from '#contract/app/endpoints.ts';
import { applyStatuses, readContact, type Application } from '#contract/contacts/endpoints.ts';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import { readPrivacy } from '#contract/privacy/endpoints.ts';
import { cookieSeconds } from '#contract/privacy/retention.ts';
import { stateLabels } from '#contract/rides/moves.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import type { Booking } from '#contract/rides/views.ts';
import { readProfile, saveProfile, type Profile } from '#contract/user/endpoints.ts';

// What pages need of a browser to be drawn.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal('navigator', { languages: ['en-US'], platform: 'Linux', userAgent: 'Test', vendor: '' });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
vi.mock('../map/map-view.tsx', () => ({ MapView: () => null }));
vi.mock('../ui/media.ts', async (read) => ({
  ...(await read<typeof import('../ui/media.ts')>()),
  useFewLines: () => false,
}));
// They are drawn once, as on a server: values that a component follows are read once.
vi.mock('react', async (read) => {
  const { withServerSnapshots } = await import('../core/stub-browser.ts');
  return withServerSnapshots(await read());
});
const { keyOf } = await import('../core/queries.ts');
const { queryClient } = await import('../core/query-client.ts');
const { guest, signIn } = await import('../core/session.ts');
const { startWords } = await import('../core/i18n.ts');
const { words } = await import('#locales/en.ts');
const { ProfileForm } = await import('../features/people/profile-form.tsx');
const { ProfileCard } = await import('../features/people/profile-card.tsx');
const { AccountMenu } = await import('../features/people/menu.tsx');
const { Introduction } = await import('../features/access/introduction.tsx');
const { Applications } = await import('../features/contacts/applications.tsx');
const { VisibilityFields } = await import('../features/planning/visibility-fields.tsx');
const { ShortcutForm } = await import('../features/geo/shortcut-form.tsx');
const { PaymentOfBooking } = await import('../domain/money/booking-payment.tsx');
const { UpdateOverlay } = await import('../app/update-overlay.tsx');
const { useGoBack } = await import('../core/navigation.ts');
const { StateChip } = await import('../domain/ride/state-chip.tsx');
const account = await import('./account/account.tsx');
const settings = await import('./account/settings.tsx');
const driver = await import('./carpool/driver.tsx');
const passenger = await import('./passenger/passenger.tsx');
const rooms = await import('./chat/chat.tsx');
const discover = await import('./discover/discover.tsx');
const auth = await import('./auth/auth.tsx');
const login = await import('./login/login.tsx');
const legal = await import('./legal/legal.tsx');
const documents = {
  teams: await import('./legal/terms.tsx'),
  privacy: await import('./legal/privacy.tsx'),
  optin: await import('./legal/optin.tsx'),
  carpool: await import('./legal/carpool.tsx'),
  payment: await import('./legal/payment.tsx'),
};
const orders = await import('./order/order.tsx');
const person = await import('./contact/user.tsx');

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null });
  await startWords(Object.keys(words) as (keyof typeof words)[]);
  vi.stubGlobal('document', undefined);
});
beforeEach(() => {
  queryClient.clear();
  signIn(guest);
});

/** The markup of a page at an address. */
async function markupOf(page: ReactNode, address = '/'): Promise<string> {
  const router: AnyRouter = createRouter({
    routeTree: createRootRoute({ component: () => page, notFoundComponent: () => page }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  return renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

/** What is read on it, piece by piece. */
const textsOf = async (page: ReactNode, address?: string): Promise<string[]> =>
  (await markupOf(page, address))
    .replaceAll('<!-- -->', '')
    .split(/<[^>]+>/)
    .filter(Boolean);

/** Where its links lead, without what they hand on. */
const linksOf = async (page: ReactNode): Promise<string[]> =>
  [...(await markupOf(page)).matchAll(/href="([^"?]+)/g)].map(([, href]) => href!);

const mia = {
  id: '018f4e7a-2c3d-7a11-8b2f-0a1b2c3d4e5f',
  name: 'Mia',
  avatar: '',
  rating: 4.5,
  ratingCount: 2,
  completedRides: 1,
};
const profile = {
  ...mia,
  email: 'mia@example.com',
  phone: '',
  sharedMetres: 16_093,
  savedCo2Grams: 4000,
  license: 'none',
} as Profile;

describe('a profile', () => {
  const form = <ProfileForm profile={profile} endpoint={saveProfile} submitLabel="" onSaved={() => {}} />;

  test.each(['Name', 'First name', 'Last name', 'Gender', 'Email', 'Interests'])(
    '%s stands over its field',
    async (label) => expect(await textsOf(form)).toContain(label),
  );

  test('male, female and prefer not to say are there to choose', async () => {
    expect(await textsOf(form)).toEqual(expect.arrayContaining(['Male', 'Female', 'Prefer not to say']));
  });

  test('rating and miles stand on the card, with their labels', async () => {
    const texts = await textsOf(<ProfileCard profile={profile} />);
    expect(texts).toEqual(expect.arrayContaining(['Rating', '4.5', 'Shared miles', '10 mi']));
  });

  test('tags stand in the menu', async () => {
    expect(await textsOf(<AccountMenu profile={profile} />)).toContain('Tags');
  });

  test('interests are read by others', async () => {
    const detail = { person: mia, relation: 'none', contact: null, application: null, contactsInCommon: 0 };
    queryClient.setQueryData(keyOf(readContact, { id: mia.id }), {
      ...detail,
      phone: '',
      interests: 'Kayaks',
    });
    expect(await textsOf(<person.Page />, `/?id=${mia.id}`)).toEqual(
      expect.arrayContaining(['Interests', 'Kayaks']),
    );
  });

  test('the account of a guest says so', async () => {
    expect(await textsOf(<account.Page />)).toContain('You’re browsing as a guest');
    signIn({ ...guest, name: 'Mia', accessToken: 'token', authed: true });
    expect(await textsOf(<account.Page />)).not.toContain('You’re browsing as a guest');
  });
});

test('a page draws its own bar: the way back and its title, the product’s name where it has none', async () => {
  const markup = await markupOf(<legal.Page />);
  expect(markup).toMatch(/<header.*<button[^>]*aria-label="Back".*<h1[^>]*>Sameway<\/h1>.*<\/header>/);
});

test('going back leads to the page before, and to the driver page where there is none', async () => {
  const goBackFrom = async (...visited: string[]) => {
    let goBack = () => {};
    const Page = () => {
      goBack = useGoBack();
      return null;
    };
    const history = createMemoryHistory({ initialEntries: visited });
    const routeTree = createRootRoute({ component: Page, notFoundComponent: Page });
    const router: AnyRouter = createRouter({ routeTree, history });
    await router.load();
    const led = vi.spyOn(router, 'navigate').mockResolvedValue(undefined);
    renderToString(<RouterProvider router={router} />);
    goBack();
    return led.mock.calls.length === 0 ? history.location.pathname : led.mock.calls[0]![0].to;
  };
  expect(await goBackFrom('/pages/car/car', '/pages/car/editor')).toBe('/pages/car/car');
  expect(await goBackFrom('/pages/legal/privacy')).toBe('/');
});

test('the update is a panel that fades in over a translucent dark', async () => {
  expect(await markupOf(<UpdateOverlay />)).toMatch(
    /^<dialog[^>]*class="fixed inset-0[^"]* animate-fade [^"]*bg-ink\/60/,
  );
});

test('the introduction has three steps', async () => {
  const markup = await markupOf(<Introduction onLeave={() => {}} />);
  expect([...markup.matchAll(/aria-label="(Step [^"]+)"/g)].map(([, step]) => step)).toEqual([
    'Step 1 of 3',
    'Step 2 of 3',
    'Step 3 of 3',
  ]);
});

test('a driver offers available seats, a passenger says the seats needed', async () => {
  expect(await textsOf(<driver.Page />)).toContain('Available seats');
  expect(await textsOf(<passenger.Page />)).toContain('Seats needed');
});

test('settings hold the language, the devices, the data and the deletion', async () => {
  signIn({ ...guest, accessToken: 'token', authed: true });
  queryClient.setQueryData(keyOf(readProfile, {}), { ...profile, deletionDueAt: null });
  queryClient.setQueryData(keyOf(readPrivacy, {}), { consents: [], hasPassword: true, deletionDueAt: null });
  expect(await textsOf(<settings.Page />)).toEqual(
    expect.arrayContaining(['Language', '简体中文', 'Where you are signed in', 'My data', 'Delete account']),
  );
});

test('each chat room is listed with how many of its messages are unread', async () => {
  const room = (roomid: string, unread: number): Room => ({
    roomid,
    rideId: roomid,
    bookingId: null,
    title: { from: 'Mission Street', to: 'Aptos', departsAt: new Date().toISOString(), timeZone: 'UTC' },
    members: [{ ...mia, verifiedDriver: false, isDriver: true, readSeq: 0 }],
    lastMessage: null,
    lastSeq: 0,
    unread,
    closed: false,
    closedBecause: null,
  });
  queryClient.setQueryData(keyOf(roomList, {}), {
    rooms: [room('one', 0), room('two', 7)],
  });
  const texts = await textsOf(<rooms.Page />);
  expect(texts.filter((text) => text === 'Mia')).toHaveLength(2);
  expect(texts).toContain('7');
});

test('Discover has what is around, and what I wait for', async () => {
  const texts = await textsOf(<discover.Page />);
  expect(texts).toEqual(expect.arrayContaining(['Nearby', 'Rides', 'Requests', 'Alerts']));
  expect(await textsOf(<discover.Page />, '/?view=alerts')).not.toContain('Requests');
});

test('the driver reads that the payment method is not ready, and that a reminder was sent', async () => {
  const textsWith = (reminder: BookingPayment['reminder']) => {
    const payment = { need: 'card', state: 'requires_payment_method', dispute: null, reminder };
    const booking = { payment, awaits: 'payment' } as Booking;
    return textsOf(<PaymentOfBooking booking={booking} side="driver" otherName="Mia" timeZone="UTC" />);
  };
  const sent = await textsWith({ at: '2026-11-24T14:05:00Z', by: 'email' });
  expect(sent).toContain(
    'Payment method not ready: the passenger has not submitted a payment method, and a reminder was sent.',
  );
  expect(sent).toContainEqual(expect.stringMatching(/^Last reminder: by email, .*2:05 PM/));
  // Before it has left the app nothing is said to have been sent.
  const unsent = await textsWith(null);
  expect(unsent).toEqual(
    expect.arrayContaining([
      'Payment method not ready: the passenger has not submitted a payment method.',
      'No reminder sent yet.',
    ]),
  );
  expect(unsent.join(' ')).not.toContain('was sent');
});

test('the labels of a shortcut are there to choose', async () => {
  const form = <ShortcutForm onChoose={() => {}} onDone={() => {}} />;
  expect(await textsOf(form)).toEqual(expect.arrayContaining(['Home', 'Work', 'Other', 'Labeled']));
});

test.each(applyStatuses)('the one who applied reads that the application is %s', async (status) => {
  const application: Application = {
    id: status,
    person: { ...mia, verifiedDriver: false },
    direction: 'out',
    status,
    message: '',
    origin: 'DIRECT',
    at: new Date().toISOString(),
  };
  const words = { pending: 'Pending', accepted: 'Accepted', denied: 'Denied' };
  expect(await textsOf(<Applications applications={[application]} />)).toContain(words[status]);
});

test('the classic sign-in is linked from the first page of signing in, and leads to its sign-up', async () => {
  expect(await linksOf(<auth.Page />)).toContain('/pages/login/login');
  expect(await linksOf(<login.Page />)).toContain('/pages/login/signup');
});

test('Rides shows the stage groups in the order of the specification', async () => {
  const groups = ['Matching', 'In Progress', 'Completed', 'Joined', 'Requesting'];
  const texts = await textsOf(<orders.Page />);
  expect(texts.filter((text) => groups.includes(text))).toEqual(groups);
});

// How each word is spelled: `web/core/specification.test.ts`.
test.each(stateLabels)('the state %s is drawn as its word, alone', async (label) => {
  expect(await textsOf(<StateChip label={label} />)).toEqual([words.rides.state[label]]);
});

test('whom an order reaches: all users, all contacts, users in selected tags, or private', async () => {
  const fields = (
    <VisibilityFields draft={{ visibility: 'private', tagIds: [] }} error={undefined} onChange={() => {}} />
  );
  expect(await textsOf(fields)).toEqual(
    expect.arrayContaining(['All users', 'All contacts', 'Only users in selected tags', 'Private']),
  );
});

test('the privacy text names every cookie of the server, and how long a browser keeps it', async () => {
  queryClient.setQueryData(keyOf(config, {}), { strikes: { forReview: 2, forSuspension: 3, months: 6 } });
  queryClient.setQueryData(keyOf(paymentConfig, {}), { cancellation: {} });
  const text = (await textsOf(<documents.privacy.Page />)).join('\n');
  const names = Object.keys(cookieSeconds);
  expect(text.match(/sameway-[a-z-]+/g)?.toSorted()).toEqual(names.toSorted());
  for (const length of ['up to 24 hours', 'up to 10 minutes']) expect(text).toContain(length);
  expect(text).not.toContain('no cookies');
  expect(Object.values(cookieSeconds)).toEqual([24 * 3600, 600]);
});

test.each([
  ['teams', 'Drivers offer free seats on trips they make anyway.'],
  ['privacy', 'download everything we keep about you'],
  ['optin', 'You get push notifications only on devices where you turn them on'],
  ['carpool', 'Check the plate and the name before you get in.'],
  ['payment', 'Within 24 hours of departure: 50 % of the share. Within 2 hours: 100 %.'],
  ['payment', 'If you owe for a ride, pay first, or write to us if you can’t.'],
] as const)('the legal document %s is there in full', async (name, sentence) => {
  queryClient.setQueryData(keyOf(config, {}), { strikes: { forReview: 2, forSuspension: 3, months: 6 } });
  queryClient.setQueryData(keyOf(paymentConfig, {}), {
    cancellation: {
      freeBeforeHours: 24,
      lateWithinHours: 2,
      midPercent: 50,
      latePercent: 100,
      graceMinutes: 0,
    },
  });
  const { Page } = documents[name];
  expect((await textsOf(<Page />)).join('\n')).toContain(sentence);
});

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
import { config } from '#contract/app/endpoints.ts';
import { applyStatuses, readContact, type Application } from '#contract/contacts/endpoints.ts';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import { stateLabels } from '#contract/rides/moves.ts';
import { saveProfile, type Profile } from '#contract/user/endpoints.ts';

// What pages need of a browser to be drawn.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal('navigator', { languages: ['en-US'], platform: 'Linux', userAgent: 'Test', vendor: '' });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
// They are drawn once, as on a server: what a component follows is read as it stands.
vi.mock('react', async (read) => {
  const react = await read<typeof import('react')>();
  const useSyncExternalStore: typeof react.useSyncExternalStore = (subscribe, snapshot) =>
    react.useSyncExternalStore(subscribe, snapshot, snapshot);
  return { ...react, useSyncExternalStore };
});
const { keyOf } = await import('../base/queries.ts');
const { queryClient } = await import('../base/query-client.ts');
const { guest, signIn } = await import('../base/session.ts');
const { startWords } = await import('../base/i18n.ts');
const { ProfileForm } = await import('../rooms/people/profile-form.tsx');
const { ProfileCard } = await import('../rooms/people/profile-card.tsx');
const { AccountMenu } = await import('../rooms/people/menu.tsx');
const { Applications } = await import('../rooms/contacts/applications.tsx');
const { VisibilityFields } = await import('../rooms/planning/visibility-fields.tsx');
const { LegalDocument } = await import('../rooms/legal/legal-document.tsx');
const { ShortcutForm } = await import('../rooms/geo/shortcut-form.tsx');
const { StateChip } = await import('../rooms/rides/state-chip.tsx');
const account = await import('./account/account.tsx');
const auth = await import('./auth/auth.tsx');
const login = await import('./login/login.tsx');
const legal = await import('./legal/legal.tsx');
const orders = await import('./order/order.tsx');
const person = await import('./contact/user.tsx');

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null });
  await startWords();
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

const mia = { id: 'mia', name: 'Mia', avatar: '', rating: 4.5, ratingCount: 2, completedRides: 1 };
const profile = {
  ...mia,
  email: 'mia@example.com',
  phone: '',
  sharedMetres: 16_093,
  savedCo2Grams: 4000,
  licence: 'none',
} as Profile;

describe('a profile', () => {
  const form = (
    <ProfileForm profile={profile} endpoint={saveProfile} submitLabel="" isFirst onSaved={() => {}} />
  );

  test.each(['Name', 'First name', 'Last name', 'Gender', 'Phone number', 'Email', 'Interests'])(
    '%s stands over its field',
    async (label) => expect(await textsOf(form)).toContain(label),
  );

  test('male, female and prefer not to say are there to choose', async () => {
    expect(await textsOf(form)).toEqual(expect.arrayContaining(['Male', 'Female', 'Prefer not to say']));
  });

  test('rating and miles stand on the card, with their labels', async () => {
    const texts = await textsOf(<ProfileCard profile={profile} />);
    expect(texts).toEqual(expect.arrayContaining(['Rating', '4.5', 'shared miles', '10 mi']));
  });

  test('tags stand in the menu', async () => {
    expect(await textsOf(<AccountMenu profile={profile} />)).toContain('Tags');
  });

  test('interests are read by others', async () => {
    const detail = { person: mia, relation: 'none', contact: null, application: null, contactsInCommon: 0 };
    queryClient.setQueryData(keyOf(readContact, { id: 'mia' }), {
      ...detail,
      phone: '',
      interests: 'Kayaks',
    });
    expect(await textsOf(<person.Page />, '/?id=mia')).toEqual(
      expect.arrayContaining(['Interests', 'Kayaks']),
    );
  });

  test('the account of a guest says so', async () => {
    expect(await textsOf(<account.Page />)).toContain('You are a guest');
    signIn({ ...guest, name: 'Mia', accessToken: 'token', authed: true });
    expect(await textsOf(<account.Page />)).not.toContain('You are a guest');
  });
});

test('a page draws its own bar: the way back and its title, the product’s name where it has none', async () => {
  const markup = await markupOf(<legal.Page />);
  expect(markup).toMatch(/<header.*<button[^>]*aria-label="Back".*<h1[^>]*>Sameway<\/h1>.*<\/header>/);
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

test.each(stateLabels)('the state %s is drawn as it is spelled', async (label) => {
  expect(await textsOf(<StateChip label={label} />)).toEqual([label]);
});

test('whom an order reaches: all users, all contacts, users in selected tags, or private', async () => {
  const fields = (
    <VisibilityFields draft={{ visibility: 'private', tagIds: [] }} error={undefined} onChange={() => {}} />
  );
  expect(await textsOf(fields)).toEqual(
    expect.arrayContaining(['All users', 'All contacts', 'Only users in selected tags', 'Private']),
  );
});

test.each([
  ['teams', 'Drivers offer free seats on trips they make anyway.'],
  ['privacy', 'download everything we keep about you as one archive'],
  ['optin', 'Push messages only where you switch them on under Notification settings'],
  ['carpool', 'Check the plate and the name before you get in.'],
  ['payment', 'Within 24 hours of departure: 50 % of the share. Within 2 hours: 100 %.'],
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
  const text = (await textsOf(<LegalDocument name={name} />)).join('\n');
  expect(text).toContain(sentence);
});

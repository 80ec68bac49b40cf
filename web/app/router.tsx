import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  type ParsedLocation,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Who } from '#contract/define.ts';
import { AppShell } from './app-shell.tsx';
import { inSlices } from './first-page.tsx';
import { NotFound } from './not-found.tsx';
import { firstWordsOf, wordsOfPages } from './page-words.ts';
import { Pending } from './pending.tsx';
import { RouteError } from './route-error.tsx';
import { startPageReads } from './start-page-reads.ts';
import { whenNotAllowed, whenSignedOut } from '../core/api.ts';
import { afterFirstScreen } from '../core/first-screen.ts';
import { loadWords } from '../core/i18n.ts';
import type { ShellLayout, PageTitle } from '../core/navigation.ts';
import {
  parsePageSearch,
  parseSearch,
  stringifySearch,
  type PagePath,
  type PageSearch,
} from '../core/page-search.ts';
import { returnToCard } from '../domain/ride/card-transition.ts';
import { homeOf, readStartSide } from '../core/side.ts';
import { renewWhereGone } from '../core/installed-app.ts';
import { followSession, isSignedIn, readSession } from '../core/session.ts';

const loadTimeoutMs = 60_000;

/** Until the shell is drawn, the page shows the frame of the HTML. */
const rootRoute = createRootRoute({ component: inSlices(AppShell, () => null), notFoundComponent: NotFound });

type PageModule = Promise<{ Page: ComponentType }>;

/**
 * The code of a page. Where the server has replaced it by that of a newer version, this page waits to be
 * loaded again in that one, at the address that was asked for.
 */
const orNewer = (load: () => PageModule): PageModule =>
  load().catch(async (error: unknown) => {
    if (await renewWhereGone()) return new Promise<never>(() => {});
    throw error;
  });

let isFirstPage = true;

/** Loads a page's code and its texts in parallel. On the first page, the texts of refusals load later. */
const withWords = (path: PagePath, load: () => PageModule) => async (): PageModule => {
  const words = isFirstPage ? firstWordsOf(path) : wordsOfPages[path];
  isFirstPage = false;
  const [{ Page }] = await Promise.all([load(), loadWords(words)]);
  if (words.length < wordsOfPages[path].length)
    void afterFirstScreen()
      .then(() => loadWords(wordsOfPages[path]))
      .catch(() => {});
  return { Page: inSlices(Page) };
};

/** A page that does not arrive within a minute is an error with a retry, not an endless skeleton. */
function withinAMinute(load: () => PageModule): () => PageModule {
  return () =>
    Promise.race([
      orNewer(load),
      new Promise<never>((_resolve, reject) => {
        setTimeout(() => reject(new Error('The page took too long to load.')), loadTimeoutMs);
      }),
    ]);
}

/** Lets a visitor in, or sends them where they can become a person who may enter. */
function guard(who: Who, location: ParsedLocation): void {
  if (who === 'guest') return;
  const user = readSession();
  const returnTo = location.href;
  if (!isSignedIn(user)) throw redirect({ to: '/pages/auth/auth', search: { returnTo } });
  if (user.profileMissing) throw redirect({ to: '/pages/auth/profile', search: { returnTo } });
  if (who === 'admin' && user.staffRole === null) throw notFound();
}

let isLaunching = true;

/**
 * The app opens on the half of the Carpool tab that the person has chosen to start on. Later the driver page
 * opens at its address like any other.
 */
function openOnStartSide({ pathname, searchStr }: ParsedLocation): void {
  const isFirst = isLaunching;
  isLaunching = false;
  if (isFirst && pathname === homeOf.driver && searchStr === '' && readStartSide() === 'passenger')
    throw redirect({ to: homeOf.passenger, replace: true });
}

/**
 * One page of the product: its address, who may open it, its title and layout, and the file that draws it.
 */
function page<const P extends PagePath>(
  path: P,
  who: Who,
  look: { title: PageTitle; layout?: ShellLayout; tab?: boolean },
  load: () => PageModule,
) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    staticData: look,
    validateSearch: (given: Record<string, unknown>): PageSearch<P> => parsePageSearch(path, given),
    beforeLoad: ({ location }) => {
      openOnStartSide(location);
      guard(who, location);
    },
    // A page's reads start while its code is loading.
    loader: ({ cause, location }) => {
      if (cause === 'enter' || (cause === 'preload' && who !== 'admin'))
        startPageReads(path, parsePageSearch(path, location.search));
    },
    component: lazyRouteComponent(withinAMinute(withWords(path, load)), 'Page'),
  });
}

/** An address without a page of its own: it shows something over the page that is open. */
const panel = <const P extends string>(path: P, show: () => never) =>
  createRoute({ getParentRoute: () => rootRoute, path, beforeLoad: show });

/**
 * The update panel has an address and no page: the page that is open stays under it, the Carpool page where
 * none is. Input on it stays, and going back takes the panel away.
 */
function showUpdate(): never {
  const open = appRouter().state.resolvedLocation;
  throw redirect({
    to: open?.pathname ?? '/',
    search: open?.search ?? {},
    ...(open === undefined || open.hash === '' ? {} : { hash: open.hash }),
    state: { showsUpdate: true },
    mask: { to: '/pages/update/update' },
    replace: true,
  });
}

const routeTree = rootRoute.addChildren([
  page(
    '/',
    'guest',
    { title: 'home', layout: 'map', tab: true },
    () => import('../pages/carpool/driver.tsx'),
  ),
  page('/intro', 'guest', { title: 'home', layout: 'wide' }, () => import('../pages/intro/intro.tsx')),
  page('/pages/login/login', 'guest', { title: 'login' }, () => import('../pages/login/login.tsx')),
  page('/pages/login/signup', 'guest', { title: 'signup' }, () => import('../pages/login/signup.tsx')),
  page(
    '/pages/address/address',
    'user',
    { title: 'address', layout: 'map' },
    () => import('../pages/address/address.tsx'),
  ),
  page('/pages/address/share', 'guest', { title: 'sharedPlace' }, () => import('../pages/address/share.tsx')),
  page(
    '/pages/address/shortcut',
    'user',
    { title: 'shortcuts', layout: 'account' },
    () => import('../pages/address/shortcut.tsx'),
  ),
  page(
    '/pages/address/editor',
    'user',
    { title: 'shortcutEditor', layout: 'account' },
    () => import('../pages/address/editor.tsx'),
  ),
  page('/pages/order/order', 'user', { title: 'rides' }, () => import('../pages/order/order.tsx')),
  page(
    '/pages/order/confirm',
    'user',
    { title: 'plan', layout: 'pane' },
    () => import('../pages/order/confirm.tsx'),
  ),
  page(
    '/pages/order/match',
    'user',
    { title: 'matches', layout: 'pane' },
    () => import('../pages/order/match.tsx'),
  ),
  page(
    '/pages/order/matchmap',
    'user',
    { title: 'matchMap', layout: 'map' },
    () => import('../pages/order/matchmap.tsx'),
  ),
  page(
    '/pages/order/detail',
    'user',
    { title: 'rideDetail', layout: 'pane' },
    () => import('../pages/order/detail.tsx'),
  ),
  page(
    '/pages/order/ride',
    'user',
    { title: 'rideUnderWay', layout: 'map' },
    () => import('../pages/order/ride.tsx'),
  ),
  page(
    '/pages/order/shared',
    'guest',
    { title: 'sharedTrip', layout: 'map' },
    () => import('../pages/order/shared.tsx'),
  ),
  page(
    '/pages/order/series',
    'user',
    { title: 'series', layout: 'pane' },
    () => import('../pages/order/series.tsx'),
  ),
  page('/pages/order/answer', 'guest', { title: 'answer' }, () => import('../pages/order/answer.tsx')),
  page('/pages/order/linked', 'guest', { title: 'linkedOrder' }, () => import('../pages/order/linked.tsx')),
  page('/pages/order/review', 'user', { title: 'review' }, () => import('../pages/order/review.tsx')),
  page(
    '/pages/car/car',
    'user',
    { title: 'vehicles', layout: 'account' },
    () => import('../pages/car/car.tsx'),
  ),
  page(
    '/pages/car/editor',
    'user',
    { title: 'vehicleEditor', layout: 'account' },
    () => import('../pages/car/editor.tsx'),
  ),
  page(
    '/pages/car/brands',
    'user',
    { title: 'brands', layout: 'account' },
    () => import('../pages/car/brands.tsx'),
  ),
  page(
    '/pages/car/models',
    'user',
    { title: 'models', layout: 'account' },
    () => import('../pages/car/models.tsx'),
  ),
  page(
    '/pages/account/account',
    'guest',
    { title: 'account', layout: 'account', tab: true },
    () => import('../pages/account/account.tsx'),
  ),
  page(
    '/pages/account/drvinglicense',
    'user',
    { title: 'driverLicense', layout: 'account' },
    () => import('../pages/account/driver-license.tsx'),
  ),
  page(
    '/pages/account/settings2',
    'user',
    { title: 'settings', layout: 'account' },
    () => import('../pages/account/settings.tsx'),
  ),
  page(
    '/pages/account/payments',
    'user',
    { title: 'payments', layout: 'account' },
    () => import('../pages/account/payments.tsx'),
  ),
  page(
    '/pages/account/stripelanding',
    'user',
    { title: 'paymentAccount', layout: 'account' },
    () => import('../pages/account/payment-account.tsx'),
  ),
  page(
    '/pages/account/avatar',
    'user',
    { title: 'avatar', layout: 'account' },
    () => import('../pages/account/avatar.tsx'),
  ),
  page(
    '/pages/account/invite',
    'user',
    { title: 'invite', layout: 'account' },
    () => import('../pages/account/invite.tsx'),
  ),
  page(
    '/pages/account/updatephone',
    'user',
    { title: 'phone', layout: 'account' },
    () => import('../pages/account/updatephone.tsx'),
  ),
  page(
    '/pages/account/notifications',
    'user',
    { title: 'news', layout: 'account' },
    () => import('../pages/account/notifications.tsx'),
  ),
  page(
    '/pages/account/endkeys',
    'guest',
    { title: 'endKeys' },
    () => import('../pages/account/end-keys.tsx'),
  ),
  page(
    '/pages/account/unsubscribe',
    'guest',
    { title: 'unsubscribe' },
    () => import('../pages/account/unsubscribe.tsx'),
  ),
  page(
    '/pages/account/settings/notificationSettings',
    'user',
    { title: 'notifications', layout: 'account' },
    () => import('../pages/account/notification-settings.tsx'),
  ),
  page(
    '/pages/account/security',
    'user',
    { title: 'security', layout: 'account' },
    () => import('../pages/account/security.tsx'),
  ),
  page(
    '/pages/admin/admin',
    'admin',
    { title: 'admin', layout: 'wide' },
    () => import('../pages/admin/admin.tsx'),
  ),
  page(
    '/pages/admin/driverlincens',
    'admin',
    { title: 'licenseReviews', layout: 'wide' },
    () => import('../pages/admin/license-reviews.tsx'),
  ),
  page(
    '/pages/admin/statistics',
    'admin',
    { title: 'statistics', layout: 'wide' },
    () => import('../pages/admin/statistics.tsx'),
  ),
  page(
    '/pages/passenger/passenger',
    'guest',
    { title: 'home', layout: 'map', tab: true },
    () => import('../pages/passenger/passenger.tsx'),
  ),
  page('/pages/setup/setup', 'guest', { title: 'setup' }, () => import('../pages/setup/setup.tsx')),
  page('/pages/auth/auth', 'guest', { title: 'welcome' }, () => import('../pages/auth/auth.tsx')),
  page('/pages/auth/signup', 'guest', { title: 'signup' }, () => import('../pages/auth/signup.tsx')),
  page('/pages/auth/profile', 'guest', { title: 'profile' }, () => import('../pages/auth/profile.tsx')),
  page('/pages/auth/signin', 'guest', { title: 'login' }, () => import('../pages/auth/signin.tsx')),
  page('/pages/auth/oauth', 'guest', { title: 'login' }, () => import('../pages/auth/oauth.tsx')),
  page('/pages/legal/legal', 'guest', { title: 'legal' }, () => import('../pages/legal/legal.tsx')),
  page('/pages/legal/teams', 'guest', { title: 'terms' }, () => import('../pages/legal/terms.tsx')),
  page('/pages/legal/privacy', 'guest', { title: 'privacy' }, () => import('../pages/legal/privacy.tsx')),
  page('/pages/legal/optin', 'guest', { title: 'optin' }, () => import('../pages/legal/optin.tsx')),
  page(
    '/pages/legal/carpool',
    'guest',
    { title: 'carpoolRules' },
    () => import('../pages/legal/carpool.tsx'),
  ),
  page(
    '/pages/legal/payment',
    'guest',
    { title: 'paymentRules' },
    () => import('../pages/legal/payment.tsx'),
  ),
  page('/pages/about/about', 'guest', { title: 'about' }, () => import('../pages/about/about.tsx')),
  page(
    '/pages/feedback/feedback',
    'user',
    { title: 'feedback', layout: 'account' },
    () => import('../pages/feedback/feedback.tsx'),
  ),
  page('/pages/feedback/appeal', 'guest', { title: 'appeal' }, () => import('../pages/feedback/appeal.tsx')),
  page('/pages/chat/chat', 'user', { title: 'chat', layout: 'chat' }, () => import('../pages/chat/chat.tsx')),
  page(
    '/pages/chat/message',
    'user',
    { title: 'messages', layout: 'chat' },
    () => import('../pages/chat/message.tsx'),
  ),
  page(
    '/pages/events/events',
    'guest',
    { title: 'events', layout: 'pane', tab: true },
    () => import('../pages/events/events.tsx'),
  ),
  page(
    '/pages/events/eventJoinAsDriver',
    'user',
    { title: 'joinAsDriver', layout: 'pane' },
    () => import('../pages/events/event-join-as-driver.tsx'),
  ),
  page(
    '/pages/events/eventJoinAsPassenger',
    'user',
    { title: 'joinAsPassenger', layout: 'pane' },
    () => import('../pages/events/event-join-as-passenger.tsx'),
  ),
  page('/pages/events/edit', 'user', { title: 'eventEdit' }, () => import('../pages/events/event-edit.tsx')),
  page(
    '/pages/events/plan',
    'user',
    { title: 'eventPlan', layout: 'pane' },
    () => import('../pages/events/event-plan.tsx'),
  ),
  page(
    '/pages/events/poster',
    'guest',
    { title: 'eventPoster', layout: 'wide' },
    () => import('../pages/events/event-poster.tsx'),
  ),
  page(
    '/pages/contact/contact',
    'user',
    { title: 'contacts', layout: 'account' },
    () => import('../pages/contact/contact.tsx'),
  ),
  page(
    '/pages/contact/add',
    'user',
    { title: 'addContact', layout: 'account' },
    () => import('../pages/contact/add.tsx'),
  ),
  page(
    '/pages/contact/user',
    'user',
    { title: 'person', layout: 'account' },
    () => import('../pages/contact/user.tsx'),
  ),
  page(
    '/pages/contact/edit',
    'user',
    { title: 'editContact', layout: 'account' },
    () => import('../pages/contact/edit.tsx'),
  ),
  page(
    '/pages/contact/search',
    'user',
    { title: 'searchContacts', layout: 'account' },
    () => import('../pages/contact/search.tsx'),
  ),
  page(
    '/pages/contact/addressbook',
    'user',
    { title: 'addressBook', layout: 'account' },
    () => import('../pages/contact/addressbook.tsx'),
  ),
  page(
    '/pages/contact/tags',
    'user',
    { title: 'tags', layout: 'account' },
    () => import('../pages/contact/tags.tsx'),
  ),
  page(
    '/pages/contact/tagdetail',
    'user',
    { title: 'tag', layout: 'account' },
    () => import('../pages/contact/tagdetail.tsx'),
  ),
  page(
    '/pages/discover/discover',
    'guest',
    { title: 'discover', layout: 'pane', tab: true },
    () => import('../pages/discover/discover.tsx'),
  ),
  page(
    '/pages/references/stripeSetup',
    'user',
    { title: 'stripeSetup', layout: 'account' },
    () => import('../pages/references/stripe-setup.tsx'),
  ),
  panel('/pages/update/update', showUpdate),
  page('/pages/demo/outbox', 'guest', { title: 'outbox' }, () => import('../pages/demo/outbox.tsx')),
]);

const createAppRouter = () =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    // What no page takes leaves its address.
    search: { strict: true },
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultPreload: 'intent',
    // How long a read stays fresh, the cache of reads knows.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Pending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
  });

type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

let created: AppRouter | undefined;

/**
 * The router, created when it is first asked for: sorting its routes is a task of its own, apart from the one
 * in which the app's files are evaluated.
 */
export const appRouter = (): AppRouter => (created ??= createAppRouter());

/**
 * Body code 400 leads to the auth page and back; signing in or out in another tab is judged at once; going
 * back from a ride’s page shows it becoming its card again.
 */
export function startRouter(): void {
  const router = appRouter();
  let isBack = false;
  router.history.subscribe(({ action }) => {
    isBack = action.type === 'BACK';
  });
  router.subscribe('onBeforeLoad', ({ fromLocation: from }) => {
    const left = isBack && from?.pathname === '/pages/order/detail' ? from.search : {};
    if (returnToCard(parsePageSearch('/pages/order/detail', left).id)) router.shouldViewTransition = true;
  });
  whenSignedOut(() => {
    const { pathname, href } = router.state.location;
    if (pathname.startsWith('/pages/auth/') || pathname.startsWith('/pages/login/')) return;
    void router.navigate({ to: '/pages/auth/auth', search: { returnTo: href } });
  });
  whenNotAllowed(async (reason) => (await import('../pages/auth/proof.tsx')).provide(reason));
  let signedIn = isSignedIn(readSession());
  followSession(() => {
    const nowSignedIn = isSignedIn(readSession());
    if (nowSignedIn === signedIn) return;
    signedIn = nowSignedIn;
    void router.invalidate();
  });
}

import type { Condition } from './conditions.ts';
import * as lookups from './lookups.ts';
import type { Api, Visitor } from './visit.ts';

/** One screen: its visitor, its path, and the condition. */
export interface Scene {
  name: string;
  as: Visitor;
  /** Where to go, once the person is signed in; may first ask the server for ids. */
  path: string | ((api: Api) => Promise<string>);
  condition: Condition;
  /** Whether every dialog that a button of the page opens is taken too. */
  withDialogs: boolean;
  /** One of the twelve that `docs/screens` shows. */
  isKept: boolean;
}

type Row = [name: string, path: Scene['path'], flags?: string];

/** `k`: the picture is committed to the repository; `d`: the page has dialogs. */
const scenesOf = (as: Visitor, condition: Condition, rows: readonly Row[]): Scene[] =>
  rows.map(([name, path, flags = '']) => ({
    name,
    as,
    path,
    condition,
    withDialogs: flags.includes('d'),
    isKept: flags.includes('k'),
  }));

const detail = (id: string) => `/pages/order/detail?id=${id}`;

const ofGuest = scenesOf('guest', 'usual', [
  ['intro', '/intro'],
  ['setup-without-link', '/pages/setup/setup'],
  ['welcome', '/pages/auth/auth'],
  ['login', '/pages/login/login', 'd'],
  ['signup', '/pages/login/signup'],
  ['guest-home', '/', 'd'],
  ['guest-passenger', '/pages/passenger/passenger'],
  ['account-guest', '/pages/account/account', 'd'],
  ['events', '/pages/events/events', 'k'],
  ['event', async (api) => `/pages/events/events?id=${await lookups.firstEvent(api)}`, 'd'],
  ['poster', async (api) => `/pages/events/poster?id=${await lookups.firstEvent(api)}`],
  ['discover-guest', '/pages/discover/discover'],
  ['legal', '/pages/legal/legal'],
  ['terms', '/pages/legal/teams'],
  ['privacy', '/pages/legal/privacy'],
  ['opt-in', '/pages/legal/optin'],
  ['carpool-rules', '/pages/legal/carpool'],
  ['payment-rules', '/pages/legal/payment'],
  ['about', '/pages/about/about'],
  ['feedback', '/pages/feedback/feedback'],
  ['outbox', '/pages/demo/outbox'],
  ['not-found', '/pages/nowhere'],
  ['trip-link-ended', '/pages/order/shared?code=none'],
]);

const ofPassenger = scenesOf('passenger', 'usual', [
  ['home-passenger', '/pages/passenger/passenger', 'kd'],
  ['place', '/pages/address/address?field=from'],
  ['choose-place', '/pages/passenger/passenger?choose=from'],
  ['plan-request', '/pages/order/confirm?role=passenger', 'd'],
  ['shortcuts', '/pages/address/shortcut', 'd'],
  ['rides-passenger', '/pages/order/order?role=passenger'],
  ['chats', '/pages/chat/chat'],
  ['chat', async (api) => `/pages/chat/message?roomid=${await lookups.firstRoom(api)}`, 'kd'],
  ['discover', '/pages/discover/discover', 'k'],
  ['popular-routes', '/pages/discover/discover?view=ways'],
  ['same-route', '/pages/discover/discover?view=people'],
  ['alerts', '/pages/discover/discover?view=alerts', 'd'],
  ['payments', '/pages/account/payments', 'kd'],
  ['payout-setup', '/pages/references/stripeSetup'],
  ['notifications', '/pages/account/notifications'],
  ['notification-settings', '/pages/account/settings/notificationSettings'],
  ['detail-matching', async (api) => detail((await lookups.orderOf(api, 'passenger', 'Matching')).id), 'd'],
  ['detail-invited', async (api) => detail((await lookups.orderOf(api, 'passenger', 'Requesting')).id), 'd'],
  ['detail-joined', async (api) => detail((await lookups.orderOf(api, 'passenger', 'Joined')).id), 'kd'],
  ['detail-over', async (api) => detail((await lookups.orderOf(api, 'passenger', 'Completed')).id), 'd'],
  [
    'matches',
    async (api) => `/pages/order/match?id=${(await lookups.orderOf(api, 'passenger', 'Matching')).id}`,
    'kd',
  ],
  [
    'ride',
    async (api) => `/pages/order/ride?id=${(await lookups.orderOf(api, 'passenger', 'Joined')).rideId}`,
    'kd',
  ],
  [
    'review',
    async (api) => {
      const { bookingId, rideId } = await lookups.dueReview(api);
      return `/pages/order/review?bookingId=${bookingId}&id=${rideId}`;
    },
  ],
  ['join-event', async (api) => `/pages/events/eventJoinAsPassenger?id=${await lookups.firstEvent(api)}`],
]);

const ofDriver = scenesOf('driver', 'usual', [
  ['home-driver', '/', 'kd'],
  ['rides-driver', '/pages/order/order?role=driver'],
  ['plan-ride', '/pages/order/confirm?role=driver', 'kd'],
  [
    'edit-ride',
    async (api) => `/pages/order/confirm?edit=${(await lookups.orderOf(api, 'driver', 'Requesting')).id}`,
    'd',
  ],
  ['edit-weekly-ride', async (api) => `/pages/order/confirm?series=${await lookups.firstSeries(api)}`, 'd'],
  ['detail-asked', async (api) => detail((await lookups.orderOf(api, 'driver', 'Requesting')).id), 'kd'],
  [
    'match-requests',
    async (api) => `/pages/order/match?id=${(await lookups.orderOf(api, 'driver', 'Requesting')).id}`,
  ],
  [
    'match-map',
    async (api) => {
      const { id } = await lookups.orderOf(api, 'driver', 'Requesting');
      const { rideId, requestId } = await lookups.bookingOf(api, id, ({ may }) => may.includes('accept'));
      return `/pages/order/matchmap?rideId=${rideId}&requestId=${requestId}`;
    },
  ],
  ['account', '/pages/account/account', 'kd'],
  ['vehicles', '/pages/car/car'],
  ['vehicle', '/pages/car/editor'],
  ['vehicle-edit', async (api) => `/pages/car/editor?id=${await lookups.firstVehicle(api)}`, 'd'],
  ['vehicle-brands', '/pages/car/brands'],
  ['settings', '/pages/account/settings2', 'd'],
  ['security', '/pages/account/security', 'd'],
  ['avatar', '/pages/account/avatar', 'd'],
  ['phone', '/pages/account/updatephone'],
  ['driver-license', '/pages/account/drvinglicense'],
  ['earnings', '/pages/account/payments?view=earn'],
  ['invite', '/pages/account/invite', 'd'],
  ['contacts', '/pages/contact/contact'],
  ['person', async (api) => `/pages/contact/user?id=${await lookups.firstContact(api)}`, 'd'],
  ['contact-add', '/pages/contact/add'],
  ['contact-search', '/pages/contact/search'],
  ['address-book', '/pages/contact/addressbook'],
  ['tags', '/pages/contact/tags', 'd'],
  ['tag', async (api) => `/pages/contact/tagdetail?id=${await lookups.firstTag(api)}`, 'd'],
  ['reviews', '/pages/order/review'],
  ['weekly-ride', async (api) => `/pages/order/series?id=${await lookups.firstSeries(api)}`, 'd'],
  ['event-edit', '/pages/events/edit'],
  ['join-event-driver', async (api) => `/pages/events/eventJoinAsDriver?id=${await lookups.firstEvent(api)}`],
]);

const ofAdmin = scenesOf('admin', 'usual', [
  ['admin', '/pages/admin/admin', 'd'],
  ['admin-users', '/pages/admin/admin?view=users', 'd'],
  ['admin-money', '/pages/admin/admin?view=money', 'd'],
  ['admin-holds', '/pages/admin/admin?view=holds', 'd'],
  ['admin-deliveries', '/pages/admin/admin?view=undelivered', 'd'],
  ['admin-reports', '/pages/admin/admin?view=tickets&kind=report', 'd'],
  ['admin-settings', '/pages/admin/admin?view=settings', 'd'],
  ['admin-connect', '/pages/admin/admin?view=connect', 'd'],
  ['admin-announcements', '/pages/admin/admin?view=announcements', 'd'],
  ['admin-licenses', '/pages/admin/driverlincens', 'd'],
  ['admin-statistics', '/pages/admin/statistics'],
]);

const empty = scenesOf('newcomer', 'usual', [
  ['empty-home', '/pages/passenger/passenger'],
  ['empty-rides', '/pages/order/order'],
  ['empty-chats', '/pages/chat/chat'],
  ['empty-contacts', '/pages/contact/contact'],
  ['empty-tags', '/pages/contact/tags'],
  ['empty-notifications', '/pages/account/notifications'],
  ['empty-alerts', '/pages/discover/discover?view=alerts'],
  ['empty-vehicles', '/pages/car/car'],
  ['empty-payments', '/pages/account/payments'],
  ['empty-earnings', '/pages/account/payments?view=earn'],
  ['empty-shortcuts', '/pages/address/shortcut'],
  ['empty-reviews', '/pages/order/review'],
  ['empty-account', '/pages/account/account'],
  ['profile', '/pages/auth/profile'],
]);

/** Scenes that are shown again under a condition, by the name of the usual one. */
const again = (condition: Condition, prefix: string, names: readonly string[]): Scene[] =>
  [...ofGuest, ...ofPassenger, ...ofDriver]
    .filter(({ name }) => names.includes(name))
    .map((scene) => ({
      ...scene,
      name: `${prefix}-${scene.name}`,
      condition,
      withDialogs: false,
      isKept: false,
    }));

const mainScreens = [
  'home-passenger',
  'home-driver',
  'rides-passenger',
  'detail-joined',
  'detail-asked',
  'matches',
  'ride',
  'chats',
  'chat',
  'events',
  'event',
  'discover',
  'account',
  'contacts',
  'person',
  'payments',
  'notifications',
  'vehicles',
];

/** Every screen of the app, in the order in which they are taken. */
export const scenes: readonly Scene[] = [
  ...ofGuest,
  ...ofPassenger,
  ...ofDriver,
  ...ofAdmin,
  ...empty,
  ...again('failed', 'failed', mainScreens),
  ...again('longNames', 'long', mainScreens),
  // Last: a page that loses its connection needs a new window.
  ...again('offline', 'offline', mainScreens),
];

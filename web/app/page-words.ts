import type { Namespace } from '#locales/en.ts';
import type { PagePath } from '../core/page-search.ts';

/** Words of the shell, and of the messages that may come over any page. */
export const wordsOfEveryPage = ['common', 'alerts', 'notifications', 'about'] as const satisfies Namespace[];

/**
 * The further words that each page is drawn with: they are loaded with its code. A test compares the list
 * with what the page and its parts name.
 */
export const wordsOfPages: Readonly<Record<PagePath, readonly Namespace[]>> = {
  '/': ['geo', 'planning'],
  '/intro': ['access'],
  '/pages/about/about': [],
  '/pages/account/account': ['people', 'settings'],
  '/pages/account/avatar': ['people', 'reasons'],
  '/pages/account/drvinglicense': ['people', 'reasons'],
  '/pages/account/invite': ['contacts', 'reasons', 'sentences'],
  '/pages/account/notifications': ['payments', 'planning', 'rides'],
  '/pages/account/payments': ['payments'],
  '/pages/account/security': ['security'],
  '/pages/account/settings/notificationSettings': ['people', 'settings'],
  '/pages/account/settings2': ['access', 'people', 'reasons', 'safety', 'sentences', 'settings'],
  '/pages/account/stripelanding': ['payments'],
  '/pages/account/endkeys': ['security'],
  '/pages/account/unsubscribe': ['settings'],
  '/pages/account/updatephone': ['access', 'people'],
  '/pages/address/address': ['geo'],
  '/pages/address/editor': ['geo', 'reasons', 'sentences'],
  '/pages/address/share': ['geo'],
  '/pages/address/shortcut': ['geo'],
  '/pages/admin/admin': ['admin', 'connect', 'payments', 'rides'],
  '/pages/admin/driverlincens': ['admin', 'reasons'],
  '/pages/admin/statistics': ['admin'],
  '/pages/auth/auth': ['access', 'reasons', 'sentences'],
  '/pages/auth/oauth': ['access'],
  '/pages/auth/profile': ['access', 'contacts', 'people', 'reasons', 'sentences'],
  '/pages/auth/signin': ['access', 'reasons', 'sentences'],
  '/pages/auth/signup': ['access', 'reasons', 'sentences'],
  '/pages/car/brands': ['vehicles'],
  '/pages/car/car': ['vehicles'],
  '/pages/car/editor': ['reasons', 'sentences', 'vehicles'],
  '/pages/car/models': ['vehicles'],
  '/pages/chat/chat': ['chat'],
  '/pages/chat/message': ['chat', 'reasons'],
  '/pages/contact/add': ['contacts'],
  '/pages/contact/addressbook': ['contacts'],
  '/pages/contact/contact': ['contacts'],
  '/pages/contact/edit': ['contacts', 'reasons', 'sentences'],
  '/pages/contact/search': ['contacts'],
  '/pages/contact/tagdetail': ['contacts', 'reasons', 'sentences'],
  '/pages/contact/tags': ['contacts', 'reasons', 'sentences'],
  '/pages/contact/user': ['contacts', 'reviews'],
  '/pages/demo/outbox': ['demo'],
  '/pages/discover/discover': ['discover', 'events', 'rides'],
  '/pages/events/edit': ['events', 'people', 'reasons', 'sentences'],
  '/pages/events/eventJoinAsDriver': ['events', 'payments', 'planning', 'reasons', 'rides', 'sentences'],
  '/pages/events/eventJoinAsPassenger': ['events', 'planning', 'reasons', 'sentences'],
  '/pages/events/events': ['events', 'rides'],
  '/pages/events/plan': ['events'],
  '/pages/events/poster': ['events'],
  '/pages/feedback/appeal': [],
  '/pages/feedback/feedback': ['reasons', 'sentences'],
  '/pages/legal/carpool': ['legal', 'payments', 'settings'],
  '/pages/legal/legal': ['legal'],
  '/pages/legal/optin': ['legal', 'payments', 'settings'],
  '/pages/legal/payment': ['legal', 'payments', 'settings'],
  '/pages/legal/privacy': ['legal', 'payments', 'settings'],
  '/pages/legal/teams': ['legal', 'payments', 'settings'],
  '/pages/login/login': ['access', 'reasons', 'sentences'],
  '/pages/login/signup': ['access', 'reasons', 'sentences'],
  '/pages/order/answer': ['discover', 'payments', 'rides'],
  '/pages/order/confirm': ['discover', 'payments', 'planning', 'reasons', 'recurring', 'rides', 'sentences'],
  '/pages/order/detail': ['discover', 'payments', 'planning', 'reasons', 'recurring', 'rides'],
  '/pages/order/linked': ['discover', 'recurring', 'rides'],
  '/pages/order/match': ['discover', 'payments', 'planning', 'recurring', 'rides'],
  '/pages/order/matchmap': ['discover', 'payments', 'planning', 'rides'],
  '/pages/order/order': ['discover', 'recurring', 'rides'],
  '/pages/order/review': ['discover', 'reviews', 'rides'],
  '/pages/order/ride': ['discover', 'geo', 'payments', 'planning', 'rides', 'safety'],
  '/pages/order/series': ['discover', 'planning', 'recurring', 'rides'],
  '/pages/order/shared': ['rides', 'safety'],
  '/pages/passenger/passenger': ['discover', 'geo', 'payments', 'planning', 'reasons', 'rides', 'sentences'],
  '/pages/references/stripeSetup': ['payments'],
  '/pages/setup/setup': ['access', 'reasons', 'sentences', 'setup'],
};

/** These pages do not validate input themselves: refusals come with an answer of the server. */
const refusedLater: readonly PagePath[] = ['/pages/chat/message', '/pages/order/detail'];

/** The texts of a page's first render. */
export const firstWordsOf = (path: PagePath): readonly Namespace[] =>
  wordsOfPages[path].filter((each) => each !== 'reasons' || !refusedLater.includes(path));

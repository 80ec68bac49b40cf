/**
 * The reach of a page of the web app: `public` pages say the same to all people and may be found by search
 * engines; `link` pages open to people without an account, by a secret in their address; `private` ones are
 * of the person who opens them.
 */
export type PageReach = 'public' | 'link' | 'private';

/** Every page of the web app, by its path. A test holds this list against the routes of the app. */
export const pages = {
  '/': 'public',
  '/intro': 'public',
  '/pages/about/about': 'public',
  '/pages/account/endkeys': 'link',
  '/pages/account/account': 'private',
  '/pages/account/avatar': 'private',
  '/pages/account/drvinglicense': 'private',
  '/pages/account/invite': 'private',
  '/pages/account/notifications': 'private',
  '/pages/account/payments': 'private',
  '/pages/account/security': 'private',
  '/pages/account/settings/notificationSettings': 'private',
  '/pages/account/settings2': 'private',
  '/pages/account/stripelanding': 'private',
  '/pages/account/unsubscribe': 'link',
  '/pages/account/updatephone': 'private',
  '/pages/address/address': 'private',
  '/pages/address/editor': 'private',
  '/pages/address/share': 'link',
  '/pages/address/shortcut': 'private',
  '/pages/admin/admin': 'private',
  '/pages/admin/driverlincens': 'private',
  '/pages/admin/statistics': 'private',
  '/pages/auth/auth': 'link',
  '/pages/auth/oauth': 'link',
  '/pages/auth/profile': 'link',
  '/pages/auth/signin': 'link',
  '/pages/auth/signup': 'link',
  '/pages/car/brands': 'private',
  '/pages/car/car': 'private',
  '/pages/car/editor': 'private',
  '/pages/car/models': 'private',
  '/pages/chat/chat': 'private',
  '/pages/chat/message': 'private',
  '/pages/contact/add': 'private',
  '/pages/contact/addressbook': 'private',
  '/pages/contact/contact': 'private',
  '/pages/contact/edit': 'private',
  '/pages/contact/search': 'private',
  '/pages/contact/tagdetail': 'private',
  '/pages/contact/tags': 'private',
  '/pages/contact/user': 'private',
  '/pages/demo/outbox': 'private',
  '/pages/discover/discover': 'public',
  '/pages/events/edit': 'private',
  '/pages/events/eventJoinAsDriver': 'private',
  '/pages/events/eventJoinAsPassenger': 'private',
  '/pages/events/events': 'public',
  '/pages/events/plan': 'private',
  '/pages/events/poster': 'link',
  '/pages/feedback/appeal': 'link',
  '/pages/feedback/feedback': 'private',
  '/pages/legal/carpool': 'public',
  '/pages/legal/legal': 'public',
  '/pages/legal/optin': 'public',
  '/pages/legal/payment': 'public',
  '/pages/legal/privacy': 'public',
  '/pages/legal/teams': 'public',
  '/pages/login/login': 'link',
  '/pages/login/signup': 'link',
  '/pages/order/answer': 'link',
  '/pages/order/confirm': 'private',
  '/pages/order/detail': 'private',
  '/pages/order/linked': 'link',
  '/pages/order/match': 'private',
  '/pages/order/matchmap': 'private',
  '/pages/order/order': 'private',
  '/pages/order/review': 'private',
  '/pages/order/ride': 'private',
  '/pages/order/series': 'private',
  '/pages/order/shared': 'link',
  '/pages/passenger/passenger': 'public',
  '/pages/references/stripeSetup': 'private',
  '/pages/setup/setup': 'link',
  '/pages/update/update': 'private',
} as const satisfies Record<string, PageReach>;

export type PagePath = keyof typeof pages;

/** The page at a path, also with a slash at its end; null where the app has none. */
export function pageAt(path: string): PagePath | null {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  return Object.hasOwn(pages, plain) ? (plain as PagePath) : null;
}

/** Prefixes of the addresses that open in the phone app, where it is installed. */
export const phoneLinkPaths = ['/pages/', '/e/', '/r/', '/intro'] as const;

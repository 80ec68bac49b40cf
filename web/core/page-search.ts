import type { Stage } from '#contract/rides/moves.ts';
import type { TicketKind, TicketState } from '#contract/tickets/endpoints.ts';

/** Reads one parameter of an address; undefined where its text is no such value. */
type Kind<T extends string> = (text: string) => T | undefined;
/** A page's search parameters by name. */
type Shape = Readonly<Record<string, Kind<string>>>;

const matching =
  <T extends string = string>(pattern: RegExp): Kind<T> =>
  (text) =>
    pattern.test(text) ? (text as T) : undefined;

const text =
  (longest: number): Kind<string> =>
  (value) =>
    value.length <= longest ? value : undefined;

const oneOf =
  <const T extends string>(...values: readonly T[]): Kind<T> =>
  (value) =>
    values.find((each) => each === value);

const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const id = matching(new RegExp(`^${uuid}$`, 'i'));
/** A ride or request by its id, or by its number such as `SW-7KQ2M9`. */
const orderId = matching(new RegExp(`^(?:${uuid}|SW-[\\dA-Z]{6})$`, 'i'));
/** A secret that the server wrote, or one that a card provider or an outside sign-in hands back. */
const secret = text(2000);
/** A path of this app; `safeReturn` judges where it leads. */
const returnTo = matching(/^\/.{0,1999}$/su);
const side = oneOf('driver', 'passenger');
const yes = oneOf('1');

/** Which field of a plan: one of the two ends, or a stop on the way by its place in the list. */
export type PlaceField = 'from' | 'to' | `via${number}`;

const signIn = { returnTo, step: oneOf('forgot', 'reset', 'code', 'second') };
/** The place that a page asks for, in a dialog over its form. */
const choose = matching<PlaceField | 'place'>(/^(?:from|to|via\d|place)$/);
const home = { choose };
/** The parts of the admin area, in the order of its tabs. */
export const adminViews = [
  'overview',
  'users',
  'tickets',
  'announcements',
  'disputes',
  'money',
  'holds',
  'broken',
  'undelivered',
  'audit',
  'connect',
  'settings',
] as const;

const event = { id, token: text(100) };
const none = {};

/**
 * The search parameters that each page takes. Values are plain text in the address; one that is no such value
 * is dropped, as is every name that is not listed (`utm_source` and the like).
 */
const pageShapes = {
  '/': home,
  '/intro': none,
  '/pages/about/about': none,
  '/pages/account/account': none,
  '/pages/account/avatar': none,
  '/pages/account/drvinglicense': none,
  '/pages/account/invite': none,
  '/pages/account/notifications': none,
  '/pages/account/payments': {
    view: oneOf('pay', 'earn'),
    receipt: id,
    // Back from the card page.
    added: oneOf('card'),
    redirect_status: text(100),
  },
  '/pages/account/security': none,
  '/pages/account/settings/notificationSettings': none,
  '/pages/account/settings2': none,
  '/pages/account/stripelanding': none,
  '/pages/account/endkeys': { code: text(300) },
  '/pages/account/unsubscribe': { kind: text(40), code: text(300) },
  '/pages/account/updatephone': none,
  '/pages/address/address': {
    for: oneOf('driver', 'passenger', 'editedRide', 'editedRequest', 'proposal', 'shortcut', 'event'),
    field: matching<PlaceField>(/^(?:from|to|via\d)$/),
  },
  '/pages/address/editor': { id, label: text(40), new: yes, choose },
  // As `manifest.webmanifest` has other apps hand it over.
  '/pages/address/share': { title: text(500), text: text(4000), url: text(2000) },
  '/pages/address/shortcut': none,
  '/pages/admin/admin': {
    view: oneOf(...adminViews),
    text: text(200),
    ticket: id,
    kind: oneOf<TicketKind>('feedback', 'report'),
    state: oneOf<TicketState>('open', 'waiting', 'closed'),
    of: oneOf('mine', 'unassigned'),
  },
  '/pages/admin/driverlincens': none,
  '/pages/admin/statistics': none,
  '/pages/auth/auth': { returnTo },
  '/pages/auth/oauth': { code: secret, state: secret, iss: secret, error: text(100) },
  '/pages/auth/profile': { returnTo },
  '/pages/auth/signin': signIn,
  '/pages/auth/signup': signIn,
  '/pages/car/brands': { id, returnTo },
  '/pages/car/car': { returnTo },
  '/pages/car/editor': { id, returnTo },
  '/pages/car/models': { id, returnTo },
  '/pages/chat/chat': none,
  '/pages/chat/message': { roomid: id },
  '/pages/contact/add': { code: secret, show: oneOf('scan') },
  '/pages/contact/addressbook': none,
  '/pages/contact/contact': none,
  '/pages/contact/edit': { id },
  '/pages/contact/search': none,
  '/pages/contact/tagdetail': { id },
  '/pages/contact/tags': none,
  '/pages/contact/user': { id },
  '/pages/demo/outbox': none,
  '/pages/discover/discover': {
    view: oneOf('around', 'ways', 'people', 'alerts'),
    of: oneOf('driver', 'passenger', 'contacts'),
    map: yes,
  },
  '/pages/events/edit': { ...event, choose },
  '/pages/events/eventJoinAsDriver': { ...event, choose },
  '/pages/events/eventJoinAsPassenger': { ...event, choose },
  '/pages/events/events': event,
  '/pages/events/plan': event,
  '/pages/events/poster': event,
  '/pages/feedback/appeal': { code: text(300) },
  '/pages/feedback/feedback': { ticket: id },
  '/pages/legal/carpool': none,
  '/pages/legal/legal': none,
  '/pages/legal/optin': none,
  '/pages/legal/payment': none,
  '/pages/legal/privacy': none,
  '/pages/legal/teams': none,
  '/pages/login/login': signIn,
  '/pages/login/signup': signIn,
  '/pages/order/answer': { code: text(300), decline: yes },
  '/pages/order/confirm': { role: side, eventId: id, edit: orderId, propose: orderId, series: id, choose },
  '/pages/order/detail': {
    id: orderId,
    // Back from the card page or from the bank.
    pay: id,
    payment_intent: text(300),
    redirect_status: text(100),
  },
  '/pages/order/linked': { code: text(100) },
  '/pages/order/match': { id: orderId, published: yes },
  '/pages/order/matchmap': { rideId: id, requestId: id },
  '/pages/order/order': {
    stage: oneOf<Stage>('Matching', 'In Progress', 'Completed', 'Joined', 'Requesting'),
    role: side,
  },
  '/pages/order/review': { bookingId: id, id },
  '/pages/order/ride': { id: orderId },
  '/pages/order/series': { id },
  '/pages/order/shared': { code: text(100) },
  '/pages/passenger/passenger': home,
  '/pages/references/stripeSetup': none,
  '/pages/setup/setup': none,
} satisfies Record<string, Shape>;

/** The address of a page. */
export type PagePath = keyof typeof pageShapes;

/** The search parameters of a page: each may be missing. */
export type PageSearch<P extends PagePath> = {
  [N in keyof (typeof pageShapes)[P]]?: (typeof pageShapes)[P][N] extends Kind<infer T>
    ? T | undefined
    : never;
};

/** What a page takes of the search parameters that its address brings. */
export function parsePageSearch<P extends PagePath>(
  path: P,
  given: Readonly<Record<string, unknown>>,
): PageSearch<P> {
  const taken: Record<string, string> = {};
  for (const [name, kind] of Object.entries<Kind<string>>(pageShapes[path])) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const read = typeof value === 'string' && value !== '' ? kind(value) : undefined;
    if (read !== undefined) taken[name] = read;
  }
  return taken as PageSearch<P>;
}

/** Addresses carry parameters as plain text on both sides: no JSON in them. */
export const parseSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') written.set(name, value);
  }
  return written.size === 0 ? '' : `?${written}`;
}

import { allowedEmailDomains, outsideProviders, sessions } from '#contract/access/endpoints.ts';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { msgList, roomDetail, roomList } from '#contract/chat/endpoints.ts';
import { inviteLink, listContacts, listTags, readContact } from '#contract/contacts/endpoints.ts';
import { readOutbox } from '#contract/demo/endpoints.ts';
import { companions, contactsOrders, popularWays } from '#contract/discover/endpoints.ts';
import { eventDetail, eventRides, listEvents } from '#contract/events/endpoints.ts';
import { eventPlan, myEvent } from '#contract/events/plan.ts';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { latestLicense, waitingLicenses } from '#contract/licenses/endpoints.ts';
import { listNews, readSettings } from '#contract/notifications/endpoints.ts';
import {
  earnings,
  paymentAccount,
  paymentConfig,
  paymentMethods,
  receipts,
} from '#contract/payments/endpoints.ts';
import { readPrivacy } from '#contract/privacy/endpoints.ts';
import { listReviews, pendingReviews } from '#contract/reviews/endpoints.ts';
import {
  discover,
  listOrders,
  match,
  matchMap,
  nextOrder,
  orderDetail,
  orderTimeline,
} from '#contract/rides/endpoints.ts';
import { listSeries, seriesDetail } from '#contract/rides/recurring.ts';
import { lookAtLink } from '#contract/rides/share-links.ts';
import { readTrustedContact, watchTrip } from '#contract/safety/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { listBrands, listVehicles } from '#contract/vehicles/endpoints.ts';
import type { PagePath, PageSearch } from '../core/page-search.ts';
import { firstPage, followed, read, type Read } from '../core/read-of-page.ts';
import { firstLinesAfter, mostLinesAtOnce, readUpTo } from '../features/chat/first-lines.ts';
import type { Side } from '../core/side.ts';

const minuteMs = 60_000;

/** Values that reads depend on in addition to the address. */
export interface ReadsAt {
  language: 'en' | 'zh';
  /** The center of the region, longitude and latitude; null if it is not known yet. */
  center: readonly [number, number] | null;
}

/** What a page reads first, by what its address says. */
type Reads<P extends PagePath> = (search: PageSearch<P>, at: ReadsAt) => readonly Read[];

const none = (): readonly Read[] => [];
const profile = () => [read(readProfile, {})];
const people = () => [read(listContacts, {}), read(listTags, {})];
const drivers = () => [read(listVehicles, {}), read(paymentAccount, {})];
const shortcuts = () => [read(listAddresses, {})];
const moneyTerms = () => [read(paymentConfig, {}, 60 * minuteMs)];
const outsideSignIns = () => [read(outsideProviders, {}, 10 * minuteMs)];
const emailDomains = () => [read(allowedEmailDomains, {}, 10 * minuteMs)];

const home = (role: Side) => [read(nextOrder, { role }), ...shortcuts(), read(listOrders, { role })];

const order = ({ id }: { id?: string | undefined }) => (id === undefined ? [] : [read(orderDetail, { id })]);

/** An order's own page: for a request of mine, it shows the rides with an open booking. */
const orderShown = (id: string) =>
  followed(read(orderDetail, { id }), (shown) =>
    shown.order.role === 'passenger' && shown.order.mine
      ? shown.order.bookings
          .filter(({ may }) => may.length > 0)
          .slice(0, mostRidesShown)
          .map(({ rideId }) => read(orderDetail, { id: rideId }))
      : [],
  );
const mostRidesShown = 3;

/** A room, and the lines that it is opened with. */
const roomShown = (roomid: string) =>
  followed(read(roomDetail, { roomid }), (room, personId) => {
    const after = firstLinesAfter({ readSeq: readUpTo(room, personId), lastSeq: room.lastSeq });
    return [{ ...read(msgList, { roomid, after, size: mostLinesAtOnce }), isOutsideQueries: true }];
  });

/** The input for an order by its id: an address may have its number instead. */
const byId = (id: string, reads: (id: string) => readonly Read[]) => (/^SW-/i.test(id) ? [] : reads(id));

type EventSearch = PageSearch<'/pages/events/events'>;
const inputOfEvent = ({ id, token }: EventSearch & { id: string }) =>
  token === undefined ? { id } : { id, token };

function event({ id, token }: EventSearch): readonly Read[] {
  return id === undefined ? [] : [read(eventDetail, inputOfEvent({ id, token }))];
}

function events({ id, token }: EventSearch): readonly Read[] {
  if (id === undefined) return [firstPage(listEvents, { text: '', scope: 'soon' })];
  return [...event({ id, token }), read(eventRides, inputOfEvent({ id, token })), read(myEvent, { id })];
}

function plan({ role, eventId, edit, propose, series }: PageSearch<'/pages/order/confirm'>): readonly Read[] {
  if (series !== undefined) return [read(seriesDetail, { id: series }), ...profile()];
  if (edit !== undefined) return [read(orderDetail, { id: edit }), ...profile()];
  if (propose !== undefined) return [read(orderDetail, { id: propose })];
  return [...profile(), ...(role === 'passenger' ? [] : drivers()), ...event({ id: eventId })];
}

function payments({ view, receipt }: PageSearch<'/pages/account/payments'>): readonly Read[] {
  if (receipt !== undefined) return [read(receipts, { bookingId: receipt })];
  return view === 'earn'
    ? [read(paymentAccount, {}), firstPage(earnings, {}), ...moneyTerms()]
    : [read(paymentMethods, {}), firstPage(receipts, {}), ...moneyTerms()];
}

function rides({ role, stage }: PageSearch<'/pages/order/order'>): readonly Read[] {
  const ofRole = role === undefined ? {} : { role };
  return [
    read(listOrders, ofRole),
    read(listSeries, {}),
    // Which stage is shown without being asked for, the first answer tells.
    ...(stage === undefined ? [] : [firstPage(listOrders, { stage, ...ofRole })]),
  ];
}

/** Whether it is still to be written or is written already, the first answer tells. */
const review = ({ id }: PageSearch<'/pages/order/review'>) => [read(pendingReviews, {}), ...order({ id })];

/** Around the middle of the region, until the person shows where they are. */
function around(
  { view = 'around', of }: PageSearch<'/pages/discover/discover'>,
  { center }: ReadsAt,
): readonly Read[] {
  const alerts = read(listAlerts, {});
  if (view === 'alerts') return [alerts];
  if (view === 'people') return [alerts, firstPage(companions, {})];
  if (of === 'contacts' && view === 'around') return [alerts, firstPage(contactsOrders, {})];
  if (center === null) return [alerts];
  const [lon, lat] = center;
  if (view === 'ways') return [alerts, firstPage(popularWays, { lon, lat })];
  return of === undefined
    ? [alerts, firstPage(discover, { lon, lat }), read(listEvents, { scope: 'near', lon, lat })]
    : [alerts, firstPage(discover, { lon, lat, role: of === 'driver' ? 'driver' : 'passenger' })];
}

/**
 * The reads of each page's first view, started while its code is still on the way (`early-reads.ts`,
 * `start-page-reads.ts`). Each read is spelled as the page's own component spells it, so that both use one
 * key of the cache. Leaves out reads that depend on a draft or on the device, a code that is made at every
 * read, and the shell's reads.
 */
export const pageReads: { readonly [P in PagePath]: Reads<P> } = {
  '/': () => home('driver'),
  '/intro': none,
  '/pages/about/about': none,
  '/pages/account/account': () => [...profile(), ...people(), read(listVehicles, {})],
  '/pages/account/avatar': profile,
  '/pages/account/drvinglicense': () => [read(latestLicense, {})],
  '/pages/account/invite': () => [read(inviteLink, {}, 60 * minuteMs)],
  '/pages/account/notifications': (_search, { language }) => [firstPage(listNews, { language })],
  '/pages/account/payments': payments,
  // Few people open it, so its call is not part of what every page loads.
  '/pages/account/security': none,
  '/pages/account/settings/notificationSettings': () => [read(readSettings, {}), ...shortcuts()],
  '/pages/account/settings2': () => [
    ...profile(),
    read(readPrivacy, {}),
    read(readTrustedContact, {}),
    read(sessions, {}),
  ],
  '/pages/account/stripelanding': none,
  '/pages/account/endkeys': none,
  '/pages/account/unsubscribe': none,
  '/pages/account/updatephone': profile,
  '/pages/address/address': shortcuts,
  '/pages/address/editor': shortcuts,
  '/pages/address/share': none,
  '/pages/address/shortcut': shortcuts,
  // Few people open these, so their calls are not part of what every page loads.
  '/pages/admin/admin': none,
  '/pages/admin/driverlincens': () => [read(waitingLicenses, {})],
  '/pages/admin/statistics': none,
  '/pages/auth/auth': () => [...outsideSignIns(), ...emailDomains()],
  '/pages/auth/oauth': none,
  '/pages/auth/profile': none,
  '/pages/auth/signin': outsideSignIns,
  '/pages/auth/signup': emailDomains,
  '/pages/car/brands': () => [read(listBrands, { text: '' }, Infinity)],
  '/pages/car/car': () => [read(listVehicles, {})],
  '/pages/car/editor': ({ id }) => (id === undefined ? [] : [read(listVehicles, {})]),
  '/pages/car/models': none,
  '/pages/chat/chat': () => [read(roomList, {})],
  '/pages/chat/message': ({ roomid }) => (roomid === undefined ? [] : [roomShown(roomid)]),
  '/pages/contact/add': ({ code, show }) =>
    code === undefined && show === undefined ? [read(listContacts, {})] : [],
  '/pages/contact/addressbook': people,
  '/pages/contact/contact': people,
  '/pages/contact/edit': people,
  '/pages/contact/search': people,
  '/pages/contact/tagdetail': people,
  '/pages/contact/tags': people,
  '/pages/contact/user': ({ id }) =>
    id === undefined ? [] : [read(readContact, { id }), ...people(), firstPage(listReviews, { userId: id })],
  '/pages/demo/outbox': () => [read(readOutbox, {})],
  '/pages/discover/discover': around,
  '/pages/events/edit': event,
  '/pages/events/eventJoinAsDriver': (search) => [...event(search), ...drivers()],
  '/pages/events/eventJoinAsPassenger': event,
  '/pages/events/events': events,
  '/pages/events/plan': (search) =>
    search.id === undefined ? [] : [...event(search), read(eventPlan, { id: search.id })],
  '/pages/events/poster': event,
  '/pages/feedback/appeal': none,
  '/pages/feedback/feedback': none,
  '/pages/legal/carpool': moneyTerms,
  '/pages/legal/legal': none,
  '/pages/legal/optin': moneyTerms,
  '/pages/legal/payment': moneyTerms,
  '/pages/legal/privacy': moneyTerms,
  '/pages/legal/teams': moneyTerms,
  '/pages/login/login': outsideSignIns,
  '/pages/login/signup': emailDomains,
  // Few people open it, so its call is not part of what every page loads.
  '/pages/order/answer': none,
  '/pages/order/confirm': plan,
  '/pages/order/detail': ({ id }) =>
    id === undefined
      ? []
      : [orderShown(id), ...byId(id, (each) => [read(orderTimeline, { id: each })]), ...moneyTerms()],
  '/pages/order/linked': ({ code }) => (code === undefined ? [] : [read(lookAtLink, { code })]),
  '/pages/order/match': ({ id }) =>
    id === undefined ? [] : [...order({ id }), ...byId(id, (each) => [firstPage(match, { id: each })])],
  '/pages/order/matchmap': ({ rideId = '', requestId = '' }) =>
    rideId === '' || requestId === ''
      ? []
      : [read(matchMap, { rideId, requestId }), ...order({ id: rideId }), ...order({ id: requestId })],
  '/pages/order/order': rides,
  '/pages/order/review': review,
  '/pages/order/ride': order,
  '/pages/order/series': ({ id }) => (id === undefined ? [] : [read(seriesDetail, { id })]),
  '/pages/order/shared': ({ code }) => (code === undefined ? [] : [read(watchTrip, { code })]),
  '/pages/passenger/passenger': () => home('passenger'),
  // The part of its address after the # is not a search parameter.
  '/pages/setup/setup': none,
  '/pages/references/stripeSetup': () => [read(paymentAccount, {}), ...moneyTerms()],
};

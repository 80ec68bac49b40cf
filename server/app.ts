import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Stripe } from 'stripe';
import type { App, Serve, ServeUpload } from './app-type.ts';
import { scheduleBackups } from './platform/backup/schedule.ts';
import { minuteMs, secondMs } from './platform/clock.ts';
import { buildPlatform, type BuiltPlatform, type PlatformOptions } from './platform/build-platform.ts';
import type { Platform } from './platform/platform.ts';
import { dropEndedKeys } from './platform/security/key-ring.ts';
import { scheduleReseal } from './platform/security/reseal.ts';
import { createScheduler, type Schedule, type Scheduler } from './platform/queue/scheduler.ts';
import { listenForAlerts } from './features/alerts/listeners.ts';
import { serveAlerts } from './features/alerts/routes.ts';
import { scheduleAlerts } from './features/alerts/schedule.ts';
import { erasure as alertErasure } from './features/alerts/service.ts';
import { serveApp, serveVersion } from './features/app/routes.ts';
import { configInPage } from './features/app/service.ts';
import {
  firstWrittenAt,
  readMarks,
  unreadMessages,
  writtenInRide,
  wroteAt,
} from './features/chat/queries.ts';
import { listenForRooms, listenForTyping } from './features/chat/listeners.ts';
import { serveChat, serveLiveChat } from './features/chat/routes.ts';
import { erasure as chatErasure, openChat } from './features/chat/service.ts';
import { listenForInvited } from './features/contacts/listeners.ts';
import { serveContacts } from './features/contacts/routes.ts';
import { erasure as contactErasure } from './features/contacts/service.ts';
import { serveDemo } from './features/demo/routes.ts';
import { listenForCommutes } from './features/commutes/listeners.ts';
import { serveCommutes } from './features/commutes/routes.ts';
import { scheduleCommutes } from './features/commutes/schedule.ts';
import { erasure as commuteErasure, openCommutes } from './features/commutes/service.ts';
import { listenForConnect } from './features/connect/listeners.ts';
import { serveScim } from './features/connect/directory/scim-routes.ts';
import { serveConnect } from './features/connect/routes.ts';
import { scheduleConnect } from './features/connect/schedule.ts';
import {
  createAuthenticateKey,
  erasure as connectErasure,
  keysLeft,
  noteSignInGroups,
  openConnect,
  webhookGauges,
} from './features/connect/service.ts';
import { licenseStatusOf } from './features/drivers/licenses/queries.ts';
import { serveDrivers } from './features/drivers/routes.ts';
import { erasure as driverErasure } from './features/drivers/service.ts';
import { eventName } from './features/events/calendar/queries.ts';
import { listenForPlans } from './features/events/plan/listeners.ts';
import { serveEvents } from './features/events/routes.ts';
import { canTravelTo, erasure as eventErasure, eventNames, openEvents } from './features/events/service.ts';
import type { LoadedRegion } from './features/geo/region.ts';
import { serveGeo } from './features/geo/routes.ts';
import { erasure as geoErasure, openGeo, roadsOf } from './features/geo/service.ts';
import { hasAccount } from './features/identity/queries.ts';
import { serveIdentity } from './features/identity/routes.ts';
import { scheduleIdentity } from './features/identity/schedule.ts';
import {
  createAuthenticate,
  erasure as identityErasure,
  openIdentity,
  readProof,
} from './features/identity/service.ts';
import { listenForOpenOrders } from './features/matching/listeners.ts';
import { closeMatching, openMatching } from './features/matching/service.ts';
import { listenForModeration } from './features/moderation/listeners.ts';
import { serveModeration } from './features/moderation/routes.ts';
import { scheduleModeration } from './features/moderation/schedule.ts';
import { erasure as moderationErasure } from './features/moderation/service.ts';
import { listenForNews } from './features/notifications/listeners.ts';
import { listenForNotices } from './features/notifications/notice-listeners.ts';
import { isOnItsWay, paymentRemindersOf } from './features/notifications/queries.ts';
import { serveNotifications } from './features/notifications/routes.ts';
import { scheduleNotifications } from './features/notifications/schedule.ts';
import {
  erasure as notificationErasure,
  noteLeft,
  openNotifications,
} from './features/notifications/service.ts';
import * as orderAudience from './features/orders/audience/queries.ts';
import * as bookingQueries from './features/orders/bookings/queries.ts';
import { listenForOrders } from './features/orders/listeners.ts';
import * as orderQueries from './features/orders/queries.ts';
import * as orderUnitQueries from './features/orders/aggregate/queries.ts';
import { serveOrders } from './features/orders/routes.ts';
import { scheduleOrders } from './features/orders/schedule.ts';
import { erasure as orderErasure } from './features/orders/service.ts';
import { serveOperations, serveOperatorCalls } from './features/operations/routes.ts';
import { openOperations, readyGauge } from './features/operations/service.ts';
import { listenForAccounts } from './features/payments/listeners.ts';
import { servePayments, serveWebhook } from './features/payments/routes.ts';
import { schedulePayments } from './features/payments/schedule.ts';
import { erasure as paymentErasure, openPayments, paymentGauges } from './features/payments/service.ts';
import { servePictures } from './features/pictures/routes.ts';
import { schedulePictures } from './features/pictures/schedule.ts';
import { servePreviews } from './features/previews/routes.ts';
import { openPreviews } from './features/previews/service.ts';
import { servePrivacy } from './features/privacy/routes.ts';
import { schedulePrivacy } from './features/privacy/schedule.ts';
import { createErasePerson, erasure as exportErasure, openPrivacy } from './features/privacy/service.ts';
import { hasRebookingEmail } from './features/trips/queries.ts';
import { reviewedBy } from './features/reviews/queries.ts';
import { serveReviews } from './features/reviews/routes.ts';
import { scheduleReviews } from './features/reviews/schedule.ts';
import { erasure as reviewErasure } from './features/reviews/service.ts';
import { serveSafety } from './features/safety/routes.ts';
import { scheduleSafety } from './features/safety/schedule.ts';
import { erasure as safetyErasure } from './features/safety/service.ts';
import { listenForEnds, listenForLost } from './features/trips/listeners.ts';
import { serveTrips } from './features/trips/routes.ts';
import { scheduleTrips } from './features/trips/schedule.ts';
import { erasure as tripErasure, openTrips } from './features/trips/service.ts';
import { sealedColumns } from './sealed-columns.ts';

export interface AppOptions extends Omit<
  PlatformOptions,
  'regionFolders' | 'createAuthenticate' | 'createAuthenticateKey' | 'readProof' | 'hasAccount'
> {
  region: LoadedRegion;
  /** Carries the requests to the card provider instead of the SDK's own client: tests disturb it. */
  cardClient?: Stripe.HttpClient | undefined;
}

export interface BuiltApp {
  http: FastifyInstance;
  platform: App;
  pool: Pool;
  scheduler: Scheduler;
}

/** The built platform, with the app instead of the bare platform. */
type Built = Omit<BuiltPlatform, 'platform' | 'servingOf'> & {
  app: App;
  serve: Serve;
  serveUpload: ServeUpload;
};

/** The parts of one feature: calls, listeners to signals, and work of the scheduler. */
interface FeatureParts {
  routes?: () => void | Promise<void>;
  /** Calls of processes of all roles that listen at all. */
  routesOfAll?: () => void | Promise<void>;
  listeners?: () => void;
  schedule?: Schedule;
}

/** The whole server, built but not listening. */
export async function buildApp({ region, cardClient, ...options }: AppOptions): Promise<BuiltApp> {
  const regionFolders = new Map(region.packs.map(({ info, folder }) => [info.name, folder]));
  const accounts = { createAuthenticate, createAuthenticateKey, readProof, hasAccount };
  const bare = await buildPlatform({ ...options, regionFolders, ...accounts });
  const geo = openGeo(bare.platform, region);
  const app: App = {
    ...bare.platform,
    identity: openIdentity(bare.platform, { licenseStatusOf }),
    geo,
    payments: await openPayments(bare.platform, cardClient),
    connect: openConnect(),
    matching: openMatching(bare.platform, roadsOf(geo), ordersForMatching),
    operations: openOperations(),
    notifications: openNotifications(),
    chat: openChat(bare.platform),
    trips: openTrips(bare.platform),
    commutes: openCommutes(),
    events: openEvents(),
    privacy: openPrivacy(createErasePerson([bare.platform.erasure, ...erasures])),
    previews: openPreviews(bare.limits),
    ports: {
      identity: {
        licenseStatusOf,
        noteSignInGroups: (of) => noteSignInGroups(app, of),
        keysLeft: (tx, userId) => keysLeft(app, tx, userId),
      },
      geo: { latestPlaces: orderQueries.latestPlaces },
      payments: records,
      drivers: { isOnOpenRide: orderQueries.isOnOpenRide },
      matching: ordersForMatching,
      orders: {
        canTravelTo: (eventId, personId) => canTravelTo(app, eventId, personId),
        eventNames: (ids, viewerId) => eventNames(app.db, ids, viewerId),
        reviewedBy,
        wroteAt,
        isOnItsWay,
      },
      notifications: { eventName, firstWrittenAt, unreadMessages, readMarks, hasRebookingEmail },
    },
  };
  const { db, clock } = app;
  const gauges = [...paymentGauges(db, clock), ...webhookGauges(db, clock), readyGauge(app)];
  for (const gauge of gauges) app.metrics.addGauge(gauge);
  const built = { ...bare, ...bare.servingOf(app), app };
  const { http } = built;
  http.addHook('onClose', () => closeMatching(app));
  app.outbox.whenLeft((receipt) => noteLeft(app, receipt));
  const all = partsInFloorOrder(built);
  const { ROLES: roles } = options.env;
  for (const { routes, routesOfAll } of all) {
    await routesOfAll?.();
    if (roles.has('web')) await routes?.();
  }
  serveOperations(http, app);
  if (roles.has('web')) serveOperatorCalls(built.serve);
  for (const { listeners } of all) listeners?.();
  // Last: each searches or plans, and where all are heard in turn (`hearAll`) the others would wait for it.
  listenForPlans(app);
  listenForLost(app);
  listenForAlerts(app);
  const scheduler = createScheduler(
    app,
    [scheduleOfEach(app), ...(roles.has('worker') ? all.map(({ schedule = {} }) => schedule) : [])],
    options.pool,
  );
  return { http, platform: app, pool: options.pool, scheduler };
}

/** Orders' answers for matching, on which they depend. */
export const ordersForMatching = {
  ridesByIds: orderUnitQueries.ridesByIds,
  requestsByIds: orderUnitQueries.requestsByIds,
  openAsJson: orderUnitQueries.openAsJson,
  openFromJson: orderUnitQueries.openFromJson,
  openRidesAfter: orderQueries.openRidesAfter,
  openRequestsAfter: orderQueries.openRequestsAfter,
  stopsWithWindows: orderQueries.stopsWithWindows,
  joinedSeats: bookingQueries.joinedSeats,
  answersOf: bookingQueries.answersOf,
  visibleRides: orderAudience.visibleRides,
  visibleRequests: orderAudience.visibleRequests,
  pairsToOffer: orderAudience.pairsToOffer,
  pairsInSight: orderAudience.pairsInSight,
};

/** Records of features above payments about the things paid for. */
const records = {
  movesOf: orderQueries.movesOf,
  isReachedByWords: bookingQueries.isReachedByWords,
  riddenOf: bookingQueries.riddenOf,
  writtenInRide,
  paymentRemindersOf,
};

/** The erasures of all features that have tables about people. */
const erasures = [
  identityErasure,
  geoErasure,
  paymentErasure,
  driverErasure,
  contactErasure,
  orderErasure,
  notificationErasure,
  alertErasure,
  connectErasure,
  commuteErasure,
  eventErasure,
  tripErasure,
  safetyErasure,
  chatErasure,
  reviewErasure,
  moderationErasure,
  exportErasure,
];

function partsInFloorOrder(built: Built): FeatureParts[] {
  const { app, http, serve, serveUpload } = built;
  return [
    { schedule: schedulePlatform(app) },
    { routes: () => serveIdentity(serve), schedule: scheduleIdentity(app) },
    { routes: () => serveGeo(serve) },
    { routes: () => servePictures({ http, serve, serveUpload }, app) },
    {
      routes: () => servePayments(serve),
      routesOfAll: () => serveWebhook(http, app),
      listeners: () => listenForAccounts(app),
      schedule: schedulePayments(app),
    },
    { routes: () => serveDrivers(serve) },
    {
      routes: () => serveContacts(serve),
      listeners: () => listenForInvited(app),
    },
    { listeners: () => listenForOpenOrders(app) },
    {
      routes: () => serveOrders(serve),
      listeners: () => listenForOrders(app),
      schedule: scheduleOrders(app),
    },
    {
      routes: () => serveNotifications({ http, serve }, app),
      listeners: () => {
        listenForNews(app);
        listenForNotices(app);
      },
      schedule: scheduleNotifications(app),
    },
    { routes: () => serveAlerts(serve), schedule: scheduleAlerts(app) },
    {
      routes: () => serveCommutes(serve),
      listeners: () => listenForCommutes(app),
      schedule: scheduleCommutes(app),
    },
    { routes: () => serveEvents({ http, serve }, app) },
    {
      routes: () => serveTrips(serve),
      listeners: () => listenForEnds(app),
      schedule: scheduleTrips(app),
    },
    { routes: () => serveSafety(serve), schedule: scheduleSafety(app) },
    {
      routes: () => serveChat(serve),
      listeners: () => {
        listenForRooms(app);
        listenForTyping(app);
        serveLiveChat(app);
      },
    },
    { routes: () => serveReviews(serve), schedule: scheduleReviews(app) },
    ...partsOfTeam(built),
  ];
}

/** The features above those of rides and contacts. */
function partsOfTeam({ app, http, serve, limits, authenticateKey }: Built): FeatureParts[] {
  return [
    {
      routes: () => serveModeration(serve),
      listeners: () => listenForModeration(app),
      schedule: scheduleModeration(app),
    },
    {
      routes: () => {
        serveConnect(serve);
        return serveScim(http, { app, authenticateKey, limits });
      },
      listeners: () => listenForConnect(app),
      schedule: scheduleConnect(app),
    },
    { routes: () => servePrivacy(http, serve, app), schedule: schedulePrivacy(app) },
    // After privacy, so that the files of a person who has left go in the same round.
    { schedule: schedulePictures(app) },
    { routes: () => serveDemo(serve, app) },
    {
      routes: () => serveApp({ http, serve }, app),
      routesOfAll: () => serveVersion(serve),
    },
    { routes: () => servePreviews(http, app, () => configInPage(app)) },
  ];
}

/** The tasks of every process, whatever its roles. */
const scheduleOfEach = ({ uptime, security, maintenance }: Platform): Schedule => ({
  tasks: [
    { name: 'heartbeat', everyMs: 3 * secondMs, isApart: true, isShared: true, run: uptime.beat },
    { name: 'maintenance', everyMs: 2 * secondMs, isApart: true, isShared: true, run: maintenance.look },
    { name: 'security counts', everyMs: 5 * secondMs, isApart: true, isShared: true, run: security.flush },
  ],
});

const schedulePlatform = ({ outbox, audit, ...platform }: Platform): Schedule => ({
  tasks: [
    ...scheduleBackups(platform),
    scheduleReseal(platform, sealedColumns),
    {
      name: 'ended keys',
      everyMs: 60 * minuteMs,
      isApart: true,
      run: () => dropEndedKeys(platform.db, platform.clock.now()),
    },
    {
      name: 'partitions of the event log',
      everyMs: 60 * minuteMs,
      isApart: true,
      run: () => outbox.keepLog(platform.db),
    },
    {
      name: 'spent jobs',
      everyMs: 10 * minuteMs,
      isApart: true,
      run: () => outbox.keepSpentJobs(platform.db),
    },
    { name: 'old readings', everyMs: 60 * minuteMs, isApart: true, run: audit.clearOld },
  ],
});

import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Stripe } from 'stripe';
import type { Platform } from './platform/platform.ts';
import { minuteMs, secondMs, type Clock } from './platform/clock.ts';
import { databaseBeside, databaseOf, type Heartbeat } from './platform/database/db.ts';
import type { Env } from './platform/env.ts';
import { createFiles } from './platform/storage/files.ts';
import { createUptime } from './platform/observability/uptime.ts';
import { createHttp } from './platform/http/http-server.ts';
import { createRateLimit, createLocalRateLimit } from './platform/http/rate-limits.ts';
import { addressBehind } from './platform/http/network.ts';
import { createRealtime, silentRealtime, type Realtime } from './platform/realtime/realtime.ts';
import type { Log } from './platform/observability/log.ts';
import { createLongReads } from './platform/database/long-reads.ts';
import { createEmailSender } from './platform/messages/email.ts';
import { createResponseCache, noResponseCache } from './platform/http/response-cache.ts';
import { Outbox } from './platform/events/outbox.ts';
import { createPushSender } from './platform/messages/push.ts';
import { createAuditLog } from './platform/security/audit-log.ts';
import { createSignedTokens } from './platform/security/signed-token.ts';
import { createSecurityLog } from './platform/security/security-log.ts';
import { createAuthenticate } from './platform/security/session.ts';
import { createSmsSender } from './platform/messages/sms.ts';
import { createTransact } from './platform/database/transact.ts';
import { serveWebApp } from './platform/http/web-app.ts';
import { listenForAlerts } from './features/alerts/listeners.ts';
import { serveAlerts } from './features/alerts/routes.ts';
import { createAlerts, type AlertsService } from './features/alerts/service.ts';
import { serveApp } from './features/app/routes.ts';
import { createAppInfo } from './features/app/service.ts';
import { listenForInvited } from './features/contacts/listeners.ts';
import { serveContacts } from './features/contacts/routes.ts';
import { createContacts, type ContactsService } from './features/contacts/service.ts';
import { listenForModeration } from './features/moderation/listeners.ts';
import { serveModeration } from './features/moderation/routes.ts';
import { createModeration, type ModerationService } from './features/moderation/service.ts';
import { listenForBlocks, listenForKeptSeats, listenForPayments } from './features/bookings/listeners.ts';
import { serveBookings } from './features/bookings/routes.ts';
import { createBookings, type BookingsService } from './features/bookings/service.ts';
import { listenForRooms, listenForTyping } from './features/chat/listeners.ts';
import { serveChat } from './features/chat/routes.ts';
import { createChat, type ChatService } from './features/chat/service.ts';
import { serveDemo } from './features/demo/routes.ts';
import { createDemo } from './features/demo/service.ts';
import { serveDiscover } from './features/discover/routes.ts';
import { createDiscover, type DiscoverService } from './features/discover/service.ts';
import { serveEvents } from './features/events/routes.ts';
import { createEvents, type EventsService } from './features/events/service.ts';
import type { LoadedRegion } from './features/geo/region.ts';
import { serveGeo } from './features/geo/routes.ts';
import { createGeo, type GeoService } from './features/geo/service.ts';
import { serveIdentity } from './features/identity/routes.ts';
import { createIdentity, type IdentityService } from './features/identity/service.ts';
import { listenForLost } from './features/trips/listeners.ts';
import { createScheduler, type Scheduler } from './features/trips/scheduler.ts';
import { serveTrips } from './features/trips/routes.ts';
import { createTrips, type TripsService } from './features/trips/service.ts';
import { listenForOrders } from './features/matching/listeners.ts';
import { serveDrivers } from './features/drivers/routes.ts';
import { createDrivers, type DriversService } from './features/drivers/service.ts';
import { createMatching, type MatchingService } from './features/matching/service.ts';
import { listenForNews } from './features/notifications/listeners.ts';
import { listenForNotices } from './features/notifications/notice-listeners.ts';
import { serveNotifications } from './features/notifications/routes.ts';
import { createNotifications, type NotificationsService } from './features/notifications/service.ts';
import { listenForPlans } from './features/outings/listeners.ts';
import { serveOutings } from './features/outings/routes.ts';
import { createOutings, type OutingsService } from './features/outings/service.ts';
import { listenForAccounts } from './features/payments/listeners.ts';
import { servePayments } from './features/payments/routes.ts';
import { createPayments, testMoneyPath, type PaymentsService } from './features/payments/service.ts';
import { servePictures } from './features/pictures/routes.ts';
import { createPictures, type PicturesService } from './features/pictures/service.ts';
import { servePrivacy } from './features/privacy/routes.ts';
import { createPrivacy, type PrivacyService } from './features/privacy/service.ts';
import { serveReviews } from './features/reviews/routes.ts';
import { createReviews, type ReviewsService } from './features/reviews/service.ts';
import { serveRides } from './features/rides/routes.ts';
import { createRides, type RidesService } from './features/rides/service.ts';
import { serveSafety } from './features/safety/routes.ts';
import { createSafety } from './features/safety/service.ts';

export interface AppOptions {
  env: Env;
  log: Log;
  clock: Clock;
  pool: Pool;
  region: LoadedRegion;
  /** False where nobody can connect: the seed, most tests. */
  withRealtime: boolean;
  /** What carries the requests to the card provider, in place of the SDK's own client: tests disturb it. */
  cardClient?: Stripe.HttpClient | undefined;
  /** Whether answers are kept while nothing changes; false where tables are changed behind the app's back. */
  withResponseCache?: boolean;
  /** How soon a connection that listens, and has gone silent, is given up: tests wait for less than an operator would. */
  heartbeat?: Heartbeat | undefined;
  /** The machine's clock, in milliseconds since 1970; a test that stops the server for hours moves it. */
  wallMs?: (() => number) | undefined;
}

/** The whole server, built but not listening: features in floor order, each served by hand. */
export async function buildApp({
  env,
  log,
  clock,
  pool,
  region,
  withRealtime,
  withResponseCache = false,
  cardClient,
  heartbeat,
  wallMs,
}: AppOptions): Promise<App> {
  const db = databaseOf(pool);
  const authenticate = createAuthenticate(db, clock);
  const responseCache = withResponseCache
    ? createResponseCache(pool, { authenticate, clock, log, heartbeat })
    : noResponseCache(authenticate);
  const security = createSecurityLog({ log, clock, db });
  const { http, serve, serveUpload } = await createHttp({
    db,
    clock,
    log,
    responseCache: responseCache,
    security,
    trustProxy: env.TRUST_PROXY,
    limit: createLocalRateLimit(clock),
  });
  http.addHook('onClose', () => responseCache.stop());
  http.addHook('onClose', () =>
    security
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'counts of security events are lost')),
  );
  const regionFolders = new Map(region.packs.map(({ info, folder }) => [info.name, folder]));
  const files = createFiles(env);
  await serveWebApp(http, { env, files, regionFolders });
  const between = env.LIVE_ADAPTER === 'postgres' ? pool : null;
  const beforeNews = (userIds: readonly string[]) => {
    for (const userId of userIds) responseCache.forget(userId);
  };
  const realtime: Realtime = withRealtime
    ? createRealtime(http.server, {
        authenticate: responseCache.authenticate,
        between,
        beforeNews,
        clock,
        heartbeat,
        addressOf: addressBehind(env.TRUST_PROXY),
        log,
        security,
      })
    : silentRealtime;
  // Rights that have ended end on open connections too; after a gap no one knows whose.
  responseCache.onChange((userId) => realtime.recheck(userId));
  const push = createPushSender(env, db, clock);
  const outbox = new Outbox(clock, {
    mail: createEmailSender(env, db, clock),
    sms: createSmsSender(env, db, clock),
    push,
  });
  const transact = createTransact(pool);
  const platform: Platform = {
    env,
    log,
    clock,
    db,
    transact,
    longRead: createLongReads(pool),
    outbox,
    push,
    realtime,
    responseCache,
    limit: createRateLimit(databaseBeside(pool), clock),
    files,
    uptime: createUptime({ transact, clock }, wallMs),
    signedTokens: createSignedTokens(db, clock),
    security,
    audit: createAuditLog({ db, transact, clock, security }),
  };

  const geo = createGeo(platform, region);
  const identity = createIdentity(platform);
  const pictures = createPictures(platform);
  const payments = await createPayments(platform, { identity }, cardClient);
  const { sandbox } = payments;
  const drivers = createDrivers(platform, { identity, pictures });
  const contacts = createContacts(platform, identity);
  const events = createEvents(platform, { geo, identity, pictures });
  const matching = createMatching(platform, geo, identity, contacts);
  http.addHook('onClose', () => matching.close());
  const rides = createRides(platform, {
    geo,
    identity,
    vehicles: drivers.vehicles,
    events,
    matching,
    payments,
  });
  const notifications = createNotifications(platform, { identity, rides, payments });
  const alerts = createAlerts(platform, { geo, identity, matching, rides, notifications });
  const discover = createDiscover(platform, { geo, identity, contacts, matching, rides });
  const bookings = createBookings(platform, { rides, matching, payments });
  const outings = createOutings(platform, { events, matching, rides, bookings });
  const trips = createTrips(platform, { rides, identity, geo, payments });
  const safety = createSafety(platform, { rides, trips, identity, contacts, geo });
  const chat = createChat(platform, { identity, pictures, geo });
  const reviews = createReviews(platform, rides, identity);
  const moderation = createModeration(platform, { identity, bookings, rides }, region.info.timeZone);
  const privacy = createPrivacy(platform, { identity, bookings, pictures, payments });
  const demo = createDemo(platform);
  const appInfo = createAppInfo(platform, geo, matching);

  if (sandbox !== null) {
    http.addHook('onClose', () => sandbox.close());
    await http.register(sandbox.pages, { prefix: testMoneyPath });
  }
  serveGeo(serve, geo);
  serveIdentity(serve, identity);
  servePictures({ http, serve, serveUpload }, pictures, identity);
  servePayments(http, serve, payments);
  serveDrivers(serve, drivers);
  serveContacts(serve, contacts);
  serveEvents({ http, serve }, events, env.publicUrl);
  serveOutings(serve, outings);
  serveRides(serve, rides);
  serveAlerts(serve, alerts);
  serveDiscover(serve, discover);
  serveBookings(serve, bookings);
  serveTrips(serve, trips);
  serveSafety(serve, safety);
  serveChat(serve, chat);
  serveReviews(serve, reviews);
  await serveNotifications({ http, serve }, notifications);
  servePrivacy(serve, privacy);
  serveModeration(serve, moderation);
  serveDemo(serve, demo);
  serveApp(serve, appInfo);

  listenForOrders(platform, matching);
  listenForInvited(platform, contacts);
  listenForBlocks(platform, bookings);
  listenForKeptSeats(platform, bookings);
  listenForAccounts(platform, payments);
  listenForPayments(platform, bookings);
  listenForRooms(platform, chat, identity);
  listenForTyping(platform, chat);
  listenForNews(platform, rides, drivers.licenses);
  listenForNotices(platform, notifications, rides);
  listenForModeration(platform, moderation);
  // Last, because each searches or plans: the others of the same signal would wait for it.
  listenForPlans(platform, outings);
  listenForLost(platform, trips);
  listenForAlerts(platform, alerts);
  const scheduler = createScheduler(platform, { rides, alerts, bookings, trips, reviews }, [
    { name: 'heartbeat', everyMs: 3 * secondMs, isApart: true, run: platform.uptime.beat },
    { name: 'positions', everyMs: secondMs, run: trips.wipePositions },
    { name: 'weekly rides', everyMs: secondMs, run: rides.series.publishDue },
    { name: 'ways', everyMs: 5 * secondMs, run: discover.catchUp },
    { name: 'proposed changes', everyMs: secondMs, run: bookings.changesDue },
    { name: 'reminders', everyMs: minuteMs, isApart: true, run: notifications.remind },
    { name: 'unread messages', everyMs: 5 * secondMs, isApart: true, run: notifications.tellMessages },
    { name: 'notices', everyMs: secondMs, run: notifications.sendDue },
    { name: 'old news', everyMs: 10 * minuteMs, isApart: true, run: notifications.clearOld },
    { name: 'shared trips', everyMs: minuteMs, run: safety.clearAway },
    { name: 'deletions', everyMs: minuteMs, isApart: true, run: privacy.deleteDue },
    { name: 'pictures', everyMs: minuteMs, run: pictures.clearAway },
    { name: 'test money', everyMs: secondMs, run: payments.playSandbox },
    { name: 'payments', everyMs: secondMs, isApart: true, run: payments.work },
    { name: 'missed events', everyMs: minuteMs, isApart: true, run: payments.lookForEvents },
    {
      name: 'reconciliation',
      everyMs: 60 * minuteMs,
      isApart: true,
      run: async () => void (await payments.reconcile()),
    },
    { name: 'security counts', everyMs: 5 * secondMs, isApart: true, run: security.flush },
    { name: 'old readings', everyMs: 60 * minuteMs, isApart: true, run: platform.audit.clearOld },
    { name: 'old sign-ins', everyMs: 10 * minuteMs, isApart: true, run: identity.clearOld },
  ]);
  return {
    http,
    platform,
    pool,
    scheduler,
    features: {
      geo,
      identity,
      pictures,
      payments,
      drivers,
      contacts,
      events,
      matching,
      rides,
      alerts,
      discover,
      bookings,
      outings,
      trips,
      chat,
      reviews,
      moderation,
      notifications,
      privacy,
    },
  };
}

export interface App {
  http: FastifyInstance;
  platform: Platform;
  pool: Pool;
  scheduler: Scheduler;
  features: {
    geo: GeoService;
    identity: IdentityService;
    pictures: PicturesService;
    payments: PaymentsService;
    drivers: DriversService;
    contacts: ContactsService;
    events: EventsService;
    matching: MatchingService;
    rides: RidesService;
    alerts: AlertsService;
    discover: DiscoverService;
    bookings: BookingsService;
    outings: OutingsService;
    trips: TripsService;
    chat: ChatService;
    reviews: ReviewsService;
    moderation: ModerationService;
    notifications: NotificationsService;
    privacy: PrivacyService;
  };
}

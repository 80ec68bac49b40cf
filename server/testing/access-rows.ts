import { createHash, randomUUID } from 'node:crypto';
import { breakOff } from '#contract/trips/interrupted-rides.ts';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { mostNumbers } from '#contract/contacts/endpoints.ts';
import { firstChoices } from '#contract/notifications/endpoints.ts';
import * as things from './access-records.ts';
import type { Role, AccessFixture, Step } from './access-fixture.ts';
import { spots } from './orders.ts';

/**
 * The code each role is answered with: guest, stranger, contact, passenger of the ride, driver of the ride,
 * and the staff (`role-table.ts` has who of them).
 */
type Answers = readonly [number, number, number, number, number, number];

export interface Row {
  answers: Answers;
  /** How far the ride must have come; people alone are enough where nothing is said. */
  at?: Step;
  /** The input; made for each role. */
  input?: (fixture: AccessFixture, role: Role) => object | Promise<object>;
  /** The action works only once, so each role that may do it gets its own ride. */
  once?: true;
  /** Required in the answer's data for a role that gets one, as `toMatchObject` reads it. */
  sees?: (fixture: AccessFixture) => Partial<Record<Role, object>>;
}

const everybody: Answers = [200, 200, 200, 200, 200, 200];
const linkIsOver: Answers = [404, 404, 404, 404, 404, 404];
const signedIn: Answers = [400, 200, 200, 200, 200, 200];
const admins: Answers = [400, 403, 403, 403, 403, 200];
/** No such thing exists. */
const unknownToAdmins: Answers = [400, 403, 403, 403, 403, 404];
const driverAlone: Answers = [400, 404, 404, 404, 200, 404];
const passengerAlone: Answers = [400, 404, 404, 200, 404, 404];
const contactAlone: Answers = [400, 404, 200, 404, 404, 404];
const aboard: Answers = [400, 404, 404, 200, 200, 404];
/**
 * A well-formed input that is refused for a reason of its own, for every sender: the caller is let in, the
 * thing is wrong.
 */
const refusedAll: Answers = [422, 422, 422, 422, 422, 422];
const refusedSignedIn: Answers = [400, 422, 422, 422, 422, 422];
/** About the stranger, who cannot do it to themselves. */
const aboutStranger: Answers = [400, 422, 200, 200, 200, 200];

const strangeKey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const strangePasskey = { ...strangeKey, response: { clientDataJSON: 'e30', attestationObject: 'oA' } };
const strangeSignature = {
  ...strangeKey,
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
};

const ofContact = async (fixture: AccessFixture) => ({ id: await things.feedbackOf(fixture) });
const booking = ({ bookingId }: AccessFixture) => ({ bookingId });
const theRide = ({ ride }: AccessFixture) => ({ id: ride.id });
const bothOrders = ({ ride, request }: AccessFixture) => ({ rideId: ride.id, requestId: request.id });
const theRoom = ({ ride }: AccessFixture) => ({ roomid: ride.id });
const freshEmail = () => `row-${randomUUID().slice(0, 8)}@example.com`;
const password = 'a long way together';
const profile = { name: 'Somebody', firstName: '', language: 'en' };
const way = {
  fromLon: spots.downtown.lon,
  fromLat: spots.downtown.lat,
  toLon: spots.capitola.lon,
  toLat: spots.capitola.lat,
};
const car = { brand: 'Toyota', model: 'Prius', type: 'hatchback', year: 2021, color: 'blue', seats: 4 };
const plate = () => randomUUID().slice(0, 7).toUpperCase();
const home = { ...spots.soquel, label: 'home' };

/**
 * The outcome of every call for every role. A call that is missing here fails the test, and so does a row
 * without a call.
 */
export const accessRows: Record<string, Row> = {
  // The app
  'GET /app/version': { answers: everybody },
  'GET /app/config': { answers: everybody },
  'GET /demo/outbox': { answers: everybody },
  'GET /admin/settings': { answers: admins },
  'POST /admin/maintenance': { answers: admins, input: () => ({ isOn: false }) },
  'GET /admin/keys': { answers: admins },
  'POST /admin/make-key': { answers: admins, input: () => ({ name: 'Reports', scopes: ['figures.read'] }) },
  'POST /admin/revoke-key': {
    answers: unknownToAdmins,
    input: () => ({ id: randomUUID() }),
  },
  'GET /admin/directory': { answers: admins },
  'POST /admin/map-group': { answers: admins, input: () => ({ group: 'Sales', role: null }) },
  'GET /admin/webhooks': { answers: admins },
  'POST /admin/save-webhook': {
    answers: admins,
    input: () => ({ name: 'Ours', url: 'https://hook.example.com/', events: ['ride.published'] }),
  },
  'POST /admin/renew-webhook-secret': { answers: unknownToAdmins, input: () => ({ id: randomUUID() }) },
  'POST /admin/remove-webhook': { answers: unknownToAdmins, input: () => ({ id: randomUUID() }) },
  'GET /admin/webhook-deliveries': {
    answers: unknownToAdmins,
    input: () => ({ webhookId: randomUUID() }),
  },
  'POST /admin/test-webhook': { answers: unknownToAdmins, input: () => ({ id: randomUUID() }) },
  'POST /admin/send-webhook-again': { answers: unknownToAdmins, input: () => ({ id: randomUUID() }) },
  // After setup, no link works.
  'POST /setup/read': { answers: linkIsOver, input: () => ({ token: 'over' }) },
  'POST /setup/try-region': { answers: linkIsOver, input: () => ({ token: 'over' }) },
  'POST /setup/try-mail': { answers: linkIsOver, input: () => ({ token: 'over', to: freshEmail() }) },
  'POST /setup/try-cards': { answers: linkIsOver, input: () => ({ token: 'over' }) },
  'POST /setup/make-owner': {
    answers: linkIsOver,
    input: () => ({ token: 'over', name: 'Owner', email: freshEmail(), password }),
  },
  'POST /demo/clock': {
    answers: everybody,
    input: ({ app }) => ({ to: new Date(app.clock.now().getTime() + 2000).toISOString() }),
  },

  // Access
  'GET /access/get-allowed-email-domains': { answers: everybody },
  'GET /access/check-account': {
    answers: everybody,
    input: ({ people }) => ({ email: people.driver.email }),
    // Callers learn only whether it exists.
    sees: () => ({ guest: { exists: true } }),
  },
  'POST /access/signup': { answers: everybody, input: () => ({ email: freshEmail(), password }) },
  'POST /access/verify-email': {
    answers: refusedAll,
    input: () => ({ email: freshEmail(), code: '000000' }),
  },
  'POST /access/resend-email-code': { answers: everybody, input: () => ({ email: freshEmail() }) },
  'POST /access/login': {
    answers: refusedAll,
    input: ({ people }) => ({ email: people.driver.email, password }),
  },
  'POST /access/retrieve-password': { answers: everybody, input: () => ({ email: freshEmail() }) },
  'POST /access/retrieve-password-confirm': {
    answers: refusedAll,
    input: () => ({ email: freshEmail(), code: '000000', password }),
  },
  'POST /access/change-password': {
    answers: refusedSignedIn,
    input: () => ({ oldPassword: 'not the one they have', password: 'seventeen ducks' }),
  },
  'POST /access/refresh-token': {
    answers: [400, 400, 400, 400, 400, 400],
    input: () => ({ refreshToken: 'nobody has this one' }),
  },
  'POST /access/logout': { answers: signedIn },
  'GET /access/sessions': { answers: signedIn },
  'POST /access/end-session': {
    answers: [400, 404, 404, 404, 200, 404],
    input: (fixture) => things.sessionOf(fixture, 'driver'),
  },
  'POST /access/update-phone': { answers: signedIn, input: () => ({ phone: things.freshPhone() }) },
  'POST /access/verify-phone': {
    answers: refusedSignedIn,
    input: () => ({ phone: things.freshPhone(), code: '000000' }),
  },
  'GET /access/second-factor': { answers: signedIn },
  'POST /access/totp-begin': { answers: signedIn },
  'POST /access/totp-confirm': {
    answers: [400, 409, 409, 409, 409, 409],
    input: () => ({ code: '000000' }),
  },
  'POST /access/totp-remove': { answers: [400, 404, 404, 404, 404, 404] },
  // Team members have a passkey.
  'POST /access/recovery-codes': { answers: [400, 404, 404, 404, 404, 200] },
  'POST /access/passkey-begin': { answers: signedIn },
  'POST /access/passkey-add': {
    answers: refusedSignedIn,
    input: () => ({ challengeId: randomUUID(), name: 'Phone', passkey: strangePasskey }),
  },
  'POST /access/passkey-rename': {
    answers: [400, 404, 404, 404, 404, 404],
    input: () => ({ id: randomUUID(), name: 'Phone' }),
  },
  'POST /access/passkey-remove': {
    answers: [400, 404, 404, 404, 404, 404],
    input: () => ({ id: randomUUID() }),
  },
  'POST /access/passkey-options': { answers: everybody },
  'POST /access/passkey-login': {
    answers: refusedAll,
    input: () => ({ challengeId: randomUUID(), passkey: strangeSignature }),
  },
  'POST /access/second-step-options': { answers: refusedAll, input: () => ({ ticket: 'of-nobody' }) },
  'POST /access/second-step': {
    answers: refusedAll,
    input: () => ({ ticket: 'of-nobody', code: '000000' }),
  },
  'POST /access/prove-options': { answers: signedIn },
  // These people have no password.
  'POST /access/prove-code': { answers: [400, 200, 200, 200, 200, 409] },
  'POST /access/prove': { answers: refusedSignedIn, input: () => ({ code: '000000' }) },
  'GET /access/oauth-providers': { answers: everybody },
  'POST /access/oauth-start': {
    answers: refusedAll,
    input: () => ({ provider: 'none', redirect_uri: 'http://127.0.0.1/pages/auth/oauth' }),
  },
  'POST /access/oauth-login': {
    answers: refusedAll,
    input: () => ({ code: 'x', redirect_uri: 'http://127.0.0.1/pages/auth/oauth' }),
  },
  'POST /access/verify': { answers: refusedAll, input: () => ({ id_token: 'x.y.z' }) },

  // The person
  'POST /user/create': { answers: signedIn, input: () => profile },
  'GET /user/profile': { answers: signedIn },
  'POST /user/save-profile': { answers: signedIn, input: () => profile },
  'POST /user/register-device': { answers: signedIn, input: () => ({ lastLaunchTime: 1, createTime: 1 }) },
  'POST /user/change-contact-type': { answers: signedIn, input: () => ({ prefer: 'chat' }) },
  'POST /user/save-avatar': { answers: signedIn, input: () => ({ picture: null }) },
  'GET /user/privacy': { answers: signedIn },
  'POST /user/save-privacy': {
    answers: signedIn,
    input: () => ({ foundByEmail: true, foundByPhone: true, foundByName: true, phoneSeenBy: 'joined' }),
  },
  'POST /user/start-export': { answers: signedIn },
  'GET /user/export-state': { answers: signedIn },
  'GET /user/export': { answers: signedIn, input: things.readyExportFor },
  'GET /user/delete-preview': { answers: signedIn },
  'POST /user/delete-account': { answers: signedIn, at: 'joined' },
  'POST /user/cancel-delete': { answers: signedIn },
  'POST /upload/image': { answers: signedIn, input: () => ({ purpose: 'avatar' }) },
  'GET /notification/settings': { answers: signedIn },
  'POST /notification/save-settings': { answers: signedIn, input: () => firstChoices },
  'GET /notification/list': { answers: signedIn, at: 'joined' },
  'GET /notification/unread-count': { answers: signedIn },
  'POST /notification/read': { answers: signedIn, input: () => ({ all: true }) },
  // Changes nothing of others' notifications, and says nothing about them.
  'POST /notification/seen': { answers: signedIn, input: () => ({ ids: [randomUUID()] }) },
  'POST /notification/connect-device': {
    answers: signedIn,
    input: () => ({
      endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    }),
  },
  'POST /notification/disconnect-device': {
    answers: signedIn,
    input: () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/nobodys' }),
  },
  // Without keys of a carrier no phone is reached.
  'POST /notification/connect-phone': {
    answers: [400, 422, 422, 422, 422, 422],
    input: () => ({ carrier: 'fcm', token: 'a'.repeat(64) }),
  },
  'POST /notification/disconnect-phone': { answers: signedIn, input: () => ({ token: 'a'.repeat(64) }) },
  'POST /notification/unsubscribe': {
    answers: [404, 404, 404, 404, 404, 404],
    input: () => ({ kind: 'ask', code: 'made-up' }),
  },
  'POST /access/end-keys': {
    answers: [404, 404, 404, 404, 404, 404],
    input: () => ({ code: 'made-up' }),
  },
  'GET /notification/question': {
    answers: [404, 404, 404, 404, 404, 404],
    input: () => ({ code: 'made-up' }),
  },
  'POST /notification/answer': {
    answers: [404, 404, 404, 404, 404, 404],
    input: () => ({ code: 'made-up', accept: true }),
  },
  'POST /feedback/appeal': {
    answers: refusedAll,
    input: () => ({ code: 'made-up', message: 'Hello' }),
  },
  'GET /announcement/current': { answers: everybody },
  'GET /admin/announcements': { answers: admins },
  'POST /admin/announce': { answers: admins, input: things.announcement },
  'POST /admin/end-announcement': {
    answers: admins,
    once: true,
    input: async (fixture) => ({ id: await things.announcementOf(fixture) }),
  },
  'POST /feedback/post': { answers: signedIn, input: () => ({ subject: 'Hi', message: 'Hello' }) },
  'GET /feedback/tickets': { answers: signedIn },
  'GET /feedback/ticket': { answers: contactAlone, input: ofContact },
  'POST /feedback/reply': {
    answers: contactAlone,
    input: async (fixture) => ({ ...(await ofContact(fixture)), text: 'One more thing' }),
  },
  'GET /admin/tickets': { answers: admins },
  'GET /admin/ticket': { answers: admins, input: things.ticketFor },
  'GET /admin/ticket-assignees': { answers: admins, input: things.ticketFor },
  'POST /admin/assign-ticket': {
    answers: admins,
    input: async (fixture, role) => ({
      ...(await things.ticketFor(fixture, role)),
      from: null,
      to: fixture.people.admin.id,
    }),
  },
  'POST /admin/answer-ticket': {
    answers: admins,
    input: async (fixture, role) => ({ ...(await things.ticketFor(fixture, role)), text: 'Thank you' }),
  },
  'POST /admin/note-ticket': {
    answers: admins,
    input: async (fixture, role) => ({ ...(await things.ticketFor(fixture, role)), text: 'Looks fine' }),
  },
  'POST /admin/close-ticket': {
    answers: admins,
    input: async (fixture, role) => ({ ...(await things.ticketFor(fixture, role)), outcome: 'Warned' }),
  },
  'POST /admin/reopen-ticket': {
    answers: [400, 403, 403, 403, 403, 409],
    input: things.ticketFor,
  },
  'GET /admin/canned-answers': { answers: admins },
  'POST /admin/save-canned-answer': {
    answers: admins,
    input: () => ({ title: 'Thanks', text: 'Thank you, {name}.', language: 'en' }),
  },
  'POST /admin/delete-canned-answer': {
    answers: admins,
    input: async (fixture) => ({ id: await things.cannedAnswerOf(fixture) }),
  },

  // Licenses
  'GET /user/latest-driver-license': {
    answers: signedIn,
    input: (fixture) => things.licenseOf(fixture, 'driver').then(() => ({})),
    sees: () => ({
      passenger: { license: null },
      admin: { license: null },
      driver: { license: { status: 'Reviewing' } },
    }),
  },
  'POST /user/save-driver-license': {
    answers: signedIn,
    input: (fixture, role) => things.licensePhotos(fixture, role),
  },
  'GET /user/wait-verify-licenses': { answers: admins },
  'POST /user/save-verify-result': {
    answers: admins,
    once: true,
    input: async (fixture) => ({
      id: await things.licenseOf(fixture, 'driver'),
      status: 'Accepted',
      result: '',
    }),
  },

  // The admins' own
  'GET /admin/statistics': { answers: admins },
  'GET /admin/users': { answers: admins },
  'POST /admin/suspend': {
    answers: admins,
    once: true,
    input: ({ people }) => ({ id: people.contact.id, suspended: true, reason: 'Because' }),
  },
  'POST /admin/give-role': {
    answers: admins,
    once: true,
    input: ({ people }) => ({ id: people.contact.id, role: 'support' }),
  },
  'GET /admin/feedback': { answers: admins },
  'POST /admin/read-feedback': {
    answers: admins,
    input: async (fixture) => ({ id: await things.feedbackOf(fixture) }),
  },
  'POST /admin/answer-feedback': {
    answers: admins,
    input: async (fixture) => ({ id: await things.feedbackOf(fixture), answer: 'Thank you' }),
  },
  'GET /admin/audit': { answers: admins },
  'GET /admin/readings': { answers: admins },
  'GET /admin/security': { answers: admins },
  'GET /admin/queue': { answers: admins },
  'GET /admin/undelivered': { answers: admins },
  'POST /admin/deliver-again': {
    answers: admins,
    input: async (fixture) => ({ id: await things.undeliveredOf(fixture) }),
  },
  'GET /admin/reports': { answers: admins },
  'POST /admin/handle-report': {
    answers: admins,
    input: async (fixture) => ({ id: await things.reportOf(fixture), outcome: 'Warned' }),
  },

  'GET /admin/disputes': { answers: admins },
  'POST /admin/resolve-dispute': {
    answers: admins,
    once: true,
    at: 'joined',
    input: async (fixture) => ({
      disputeId: await things.disputeOf(fixture),
      refundCents: 0,
      decision: 'They came',
    }),
  },

  'GET /admin/money': { answers: admins },
  'GET /admin/holds': { answers: admins },
  'POST /admin/write-off-debt': {
    answers: unknownToAdmins,
    input: () => ({ id: randomUUID(), note: 'They cannot pay' }),
  },
  'POST /admin/clear-chargeback': {
    answers: [400, 403, 403, 403, 403, 404],
    input: () => ({ id: 'du_nothing', note: 'It was a mistake' }),
  },
  'POST /admin/answer-chargeback': {
    answers: [400, 403, 403, 403, 403, 404],
    input: () => ({ id: 'du_nothing', text: 'They rode along' }),
  },
  'POST /admin/end-alarm': {
    answers: [400, 403, 403, 403, 403, 409],
    input: () => ({ id: randomUUID() }),
  },

  'GET /admin/broken-rides': { answers: admins },
  'POST /admin/break-off': {
    answers: admins,
    once: true,
    at: 'picked',
    input: ({ ride }) => ({ orderNumber: ride.orderNumber, kind: 'safety', reason: 'The driver called' }),
  },
  // The ride was free: there is no share to decide.
  'POST /admin/settle-broken': {
    answers: [400, 403, 403, 403, 403, 409],
    at: 'picked',
    input: async (fixture, role) => {
      const { app, people, ride } = fixture;
      if (role === 'guest')
        await app.ok(people.driver, breakOff, { id: ride.id, kind: 'breakdown', reason: '' });
      return { ...booking(fixture), shareCents: 0, note: '' };
    },
  },

  // Money
  'GET /payment/config': { answers: everybody },
  'GET /payment/methods': { answers: signedIn },
  'POST /payment/setup-intent': { answers: signedIn, input: () => ({}) },
  'POST /payment/set-default': { answers: [400, 404, 404, 404, 404, 404], input: () => ({ id: 'pm_1' }) },
  'POST /payment/delete-method': { answers: [400, 404, 404, 404, 404, 404], input: () => ({ id: 'pm_1' }) },
  'GET /payment/account': { answers: signedIn },
  'POST /payment/onboard-link': { answers: signedIn, input: () => ({}) },
  'GET /payment/earnings': { answers: signedIn },
  'GET /payment/receipts': { answers: signedIn },
  'POST /payment/authorize': {
    answers: passengerAlone,
    at: 'joined',
    input: async (fixture) => {
      await things.owedPayment(fixture);
      return booking(fixture);
    },
  },
  'POST /payment/dispute': {
    answers: passengerAlone,
    at: 'joined',
    input: async (fixture) => {
      await things.owedPayment(fixture);
      return { ...booking(fixture), text: 'Nobody came' };
    },
  },
  'POST /payment/answer-dispute': {
    answers: driverAlone,
    at: 'joined',
    input: async (fixture) => ({ disputeId: await things.disputeOf(fixture), text: 'I did' }),
  },

  // Vehicles
  'GET /car/brands': { answers: signedIn },
  'GET /car/models': { answers: signedIn, input: () => ({ brand: 'Toyota' }) },
  'GET /car/list': { answers: signedIn },
  'POST /car/create': { answers: signedIn, input: () => ({ ...car, plate: plate() }) },
  'POST /car/update': {
    answers: driverAlone,
    at: 'published',
    input: ({ vehicleId }) => ({ ...car, id: vehicleId, plate: plate() }),
  },
  'POST /car/delete': {
    // It is the driver's, and an open ride uses it.
    answers: [400, 404, 404, 404, 409, 404],
    at: 'published',
    input: ({ vehicleId }) => ({ id: vehicleId }),
  },

  // Places
  'GET /address/search': { answers: everybody, input: () => ({ text: 'Pacific' }) },
  'GET /address/reverse': { answers: everybody, input: () => ({ lon: home.lon, lat: home.lat }) },
  'GET /address/list': { answers: signedIn },
  'POST /address/create': { answers: signedIn, input: () => home },
  'POST /address/update': {
    answers: driverAlone,
    input: async (fixture) => ({ ...home, id: await things.shortcutOf(fixture, 'driver') }),
  },
  'POST /address/delete': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.shortcutOf(fixture, 'driver') }),
  },

  // Orders
  'POST /order/create': { answers: signedIn, input: ({ app }) => ({ order: things.plannedRide(app) }) },
  'POST /order/create-return': { answers: signedIn, input: ({ app }) => things.plannedPair(app) },
  'POST /series/create': {
    answers: signedIn,
    input: ({ app }) => ({ series: things.plannedRecurring(app) }),
  },
  'GET /series/list': { answers: signedIn },
  'GET /series/detail': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.recurringOf(fixture, 'driver') }),
  },
  'POST /series/skip': {
    answers: driverAlone,
    input: async (fixture) => ({
      id: await things.recurringOf(fixture, 'driver'),
      day: things.plannedRecurring(fixture.app).rule.fromDay,
    }),
  },
  'POST /series/update': {
    answers: driverAlone,
    input: async (fixture) => ({
      id: await things.recurringOf(fixture, 'driver'),
      series: things.plannedRecurring(fixture.app),
    }),
  },
  'POST /series/end': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.recurringOf(fixture, 'driver') }),
  },
  'GET /order/link': { answers: driverAlone, at: 'published', input: theRide },
  'POST /order/make-link': { answers: driverAlone, at: 'published', input: theRide },
  'GET /order/linked': {
    answers: everybody,
    at: 'published',
    input: async (fixture) => ({ code: await things.linkOf(fixture) }),
    sees: () => ({ guest: { from: { detail: 'Santa Cruz' }, person: { shortName: 'Driver' } } }),
  },
  'POST /order/open-link': {
    answers: signedIn,
    at: 'published',
    input: async (fixture) => ({ code: await things.linkOf(fixture) }),
  },
  'POST /order/update': {
    answers: driverAlone,
    at: 'published',
    input: ({ app, ride }) => ({ id: ride.id, order: things.plannedRide(app) }),
  },
  'GET /order/list': { answers: signedIn, at: 'joined' },
  'GET /order/next': { answers: signedIn, input: () => ({ role: 'driver' }) },
  'GET /order/nearby': { answers: everybody, input: () => ({ lon: home.lon, lat: home.lat }) },
  'GET /discover/ways': { answers: everybody, input: () => ({ lon: home.lon, lat: home.lat }) },
  'GET /discover/people': { answers: signedIn },
  'GET /discover/contacts': { answers: signedIn },
  'GET /order/quote': { answers: everybody, input: () => way },
  'GET /order/detail': {
    answers: [400, 404, 200, 200, 200, 404],
    at: 'joined',
    input: theRide,
    sees: () => ({
      // A contact sees that there is a ride; where exactly, in which car and by which number is for those on
      // board.
      contact: {
        order: {
          phone: '',
          vehicle: { plate: '' },
          from: { approximate: true },
          bookings: [],
          passengers: [],
        },
      },
      passenger: { order: { phone: /^\+1415/, vehicle: { plate: /.+/ }, from: { approximate: false } } },
      driver: { order: { bookings: [{ phone: /^\+1415/, pickup: { approximate: false } }] } },
    }),
  },
  'GET /order/timeline': { answers: [400, 404, 200, 200, 200, 404], at: 'joined', input: theRide },
  'GET /order/calendar': { answers: [400, 404, 409, 200, 200, 404], at: 'joined', input: theRide },
  'GET /order/audience': { answers: driverAlone, at: 'published', input: theRide },
  'POST /order/propose-change': {
    answers: driverAlone,
    at: 'joined',
    input: ({ ride }) => ({
      id: ride.id,
      departsAt: new Date(Date.parse(ride.departsAt) + 600_000).toISOString(),
      costCents: ride.costCents,
    }),
  },
  'POST /order/answer-change': {
    answers: aboard,
    at: 'joined',
    // The driver withdraws it; the others who may answer accept.
    input: async (fixture, role) => ({ changeId: await things.changeOf(fixture), accept: role !== 'driver' }),
  },
  'GET /order/cancel-preview': { answers: driverAlone, at: 'joined', input: theRide },
  'GET /order/explain': { answers: aboard, at: 'published', input: bothOrders },
  'GET /order/match-map': { answers: aboard, at: 'published', input: bothOrders },
  'GET /order/match-pair': {
    answers: driverAlone,
    at: 'published',
    input: ({ ride, request }) => ({ id: ride.id, otherId: request.id }),
  },
  'GET /order/match': { answers: [400, 404, 404, 404, 200, 404], at: 'published', input: theRide },
  'POST /order/request': { answers: passengerAlone, at: 'published', input: bothOrders },
  // There is room: a caller who may wait is answered that they should ask.
  'POST /order/waitlist': { answers: [400, 404, 404, 409, 404, 404], at: 'published', input: bothOrders },
  'POST /order/invite': { answers: driverAlone, at: 'published', input: bothOrders },
  'POST /order/accept': { answers: [400, 404, 404, 409, 200, 404], at: 'asked', input: booking },
  'POST /order/reject': {
    answers: [400, 404, 404, 409, 200, 404],
    at: 'asked',
    input: (fixture) => ({ ...booking(fixture), reason: 'Full' }),
  },
  'POST /order/withdraw': { answers: [400, 404, 404, 200, 409, 404], at: 'asked', input: booking },
  'POST /order/cancel': {
    answers: driverAlone,
    at: 'joined',
    input: (fixture) => ({ ...theRide(fixture), reason: 'The car broke down' }),
  },
  'POST /order/reach': {
    answers: driverAlone,
    at: 'waiting',
    input: (fixture) => ({ ...theRide(fixture), reason: 'It is here' }),
  },
  // The ride has no stop of the driver's own to leave.
  'POST /order/pass-stop': {
    answers: [400, 404, 404, 404, 409, 404],
    at: 'departed',
    input: (fixture) => ({ ...theRide(fixture), stop: 1 }),
  },
  'POST /order/depart': { answers: driverAlone, at: 'atStart', input: theRide },
  'POST /order/pickup': { answers: [400, 404, 404, 404, 200, 404], at: 'atPickup', input: booking },
  'POST /order/confirm-meeting': { answers: [400, 404, 404, 200, 404, 404], at: 'met', input: booking },
  'POST /order/contact-attempt': {
    answers: [400, 404, 404, 404, 200, 404],
    at: 'atPickup',
    input: (fixture) => ({ ...booking(fixture), kind: 'call' }),
  },
  'POST /order/no-show': {
    // The driver may, once the waiting time is over.
    answers: [400, 404, 404, 404, 409, 404],
    at: 'atPickup',
    input: booking,
  },
  'POST /order/report-driver': { answers: [400, 404, 404, 409, 404, 404], at: 'waiting', input: booking },
  // No one is asked: the server was there.
  'POST /order/took-place': {
    answers: [400, 404, 404, 409, 409, 404],
    at: 'waiting',
    input: (fixture) => ({ ...booking(fixture), tookPlace: true }),
  },
  'POST /order/arrive': { answers: driverAlone, at: 'picked', input: theRide },
  'GET /order/break-off-preview': { answers: driverAlone, at: 'departed', input: theRide },
  'POST /order/break-off': {
    answers: driverAlone,
    at: 'picked',
    input: (fixture) => ({ ...theRide(fixture), kind: 'breakdown', reason: '' }),
  },
  'POST /order/location': {
    answers: driverAlone,
    at: 'waiting',
    input: (fixture) => ({ ...theRide(fixture), lon: spots.westside.lon, lat: spots.westside.lat }),
  },
  'POST /order/rider-location': {
    answers: [400, 404, 404, 200, 404, 404],
    at: 'met',
    input: (fixture) => ({ ...booking(fixture), lon: spots.westside.lon, lat: spots.westside.lat }),
  },
  'GET /order/rescue': {
    answers: passengerAlone,
    at: 'joined',
    input: ({ request }) => ({ id: request.id }),
  },
  'GET /order/boarding-pass': {
    answers: [400, 404, 404, 200, 404, 404],
    at: 'waiting',
    input: booking,
  },
  'GET /order/boarding-key': { answers: driverAlone, at: 'waiting', input: theRide },
  'GET /order/position': { answers: aboard, at: 'waiting', input: theRide },
  'POST /order/share': { answers: aboard, at: 'joined', input: theRide },
  'GET /order/shares': { answers: aboard, at: 'joined', input: theRide },
  'POST /order/stop-sharing': {
    answers: [400, 404, 404, 404, 200, 404],
    at: 'joined',
    input: async (fixture) => ({ shareId: await things.shareOf(fixture, 'driver') }),
  },
  'GET /order/shared': { answers: [404, 404, 404, 404, 404, 404], input: () => ({ code: 'made-up' }) },
  'GET /user/trusted-contact': { answers: signedIn },
  'POST /user/save-trusted-contact': {
    answers: signedIn,
    input: () => ({ name: 'Mum', phone: '', email: freshEmail() }),
  },
  'POST /order/sos': { answers: aboard, at: 'joined', input: theRide },

  // Chat
  'GET /im/room-list': { answers: signedIn, at: 'joined' },
  'GET /im/room-detail': { answers: aboard, at: 'joined', input: theRoom },
  'GET /im/msg-list': { answers: aboard, at: 'joined', input: theRoom },
  'GET /im/unread-count': { answers: signedIn },
  'POST /im/send': {
    answers: aboard,
    at: 'joined',
    input: (fixture) => ({ ...theRoom(fixture), clientId: randomUUID(), text: 'Hello' }),
  },
  // The driver’s own line.
  'POST /im/report': {
    answers: passengerAlone,
    at: 'joined',
    input: async (fixture) => {
      const { app, people } = fixture;
      const line = { ...theRoom(fixture), clientId: randomUUID(), text: 'Hurry up' };
      const { seq } = await app.ok(people.driver, sendMessage, line);
      return { ...theRoom(fixture), seq, reason: 'other' };
    },
  },
  'POST /im/read': { answers: aboard, at: 'joined', input: (fixture) => ({ ...theRoom(fixture), seq: 1 }) },

  // Alerts
  'GET /alert/list': { answers: signedIn },
  'POST /alert/create': { answers: signedIn, input: ({ app }) => ({ alert: things.wantedAlert(app) }) },
  'POST /alert/read': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.alertOf(fixture, 'driver') }),
  },
  'POST /alert/delete': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.alertOf(fixture, 'driver') }),
  },

  // Events and reviews
  'GET /event/list': { answers: everybody },
  'GET /event/detail': {
    answers: everybody,
    input: async (fixture) => ({ id: await things.eventOf(fixture) }),
  },
  'GET /event/rides': {
    answers: everybody,
    input: async (fixture) => ({ id: await things.eventOf(fixture) }),
  },
  'POST /event/create': { answers: signedIn, input: ({ app }) => things.wantedEvent(app) },
  'POST /event/update': {
    answers: driverAlone,
    input: async (fixture) => ({ ...things.wantedEvent(fixture.app), id: await things.eventOf(fixture) }),
  },
  'POST /event/cancel': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.eventOf(fixture) }),
  },
  'POST /event/join-as-driver': {
    answers: signedIn,
    input: async (fixture) => ({ ...(await things.wayToEvent(fixture)), vehicleId: null }),
  },
  'POST /event/join-as-passenger': { answers: signedIn, input: (fixture) => things.wayToEvent(fixture) },
  'GET /event/plan': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.eventOf(fixture) }),
  },
  'POST /event/assign': {
    // The organizer's own event, and a pair that has nothing to do with it.
    answers: [400, 404, 404, 404, 409, 404],
    at: 'published',
    input: async (fixture) => ({ id: await things.eventOf(fixture), places: [bothOrders(fixture)] }),
  },
  'GET /event/mine': {
    answers: signedIn,
    input: async (fixture) => ({ id: await things.eventOf(fixture) }),
    sees: () => ({ stranger: { orders: [], places: [] } }),
  },
  'POST /event/answer': {
    answers: aboard,
    at: 'published',
    input: async (fixture) => ({ placeId: await things.placeOf(fixture), accept: false }),
  },
  'GET /review/list': { answers: signedIn, input: ({ people }) => ({ userId: people.driver.id }) },
  'GET /review/pending': { answers: signedIn },
  'POST /review/create': {
    answers: aboard,
    at: 'finished',
    input: (fixture) => ({ ...booking(fixture), stars: 5, tags: [], words: '' }),
  },

  'POST /review/reply': {
    answers: [400, 404, 404, 404, 200, 404],
    at: 'finished',
    input: async (fixture) => ({ reviewId: await things.reviewAbout(fixture, 'driver'), words: 'Thank you' }),
  },
  'POST /review/report': {
    // Those who may read it, except its author.
    answers: [400, 200, 200, 404, 200, 200],
    at: 'finished',
    input: async (fixture) => ({
      reviewId: await things.reviewAbout(fixture, 'driver'),
      reason: 'Insulting',
    }),
  },

  // Contacts and tags
  'GET /contact/list': { answers: signedIn },
  'GET /contact/detail': { answers: signedIn, input: ({ people }) => ({ id: people.driver.id }) },
  'GET /contact/search': { answers: signedIn, input: ({ people }) => ({ text: people.driver.email }) },
  'GET /contact/qrcode': { answers: signedIn },
  'GET /contact/invite-link': { answers: signedIn },
  'GET /contact/import-salt': { answers: signedIn },
  'POST /contact/import': {
    answers: signedIn,
    // As many numbers as a call may compare.
    input: () => {
      const digests = Array.from({ length: mostNumbers }, (_, at) =>
        createHash('sha256').update(`+1415${at}`).digest(),
      );
      return {
        hashes: digests.map((digest) => digest.toString('base64url')),
        groups: digests.map((digest) => digest.readUInt16BE(0)),
      };
    },
  },
  'POST /contact/scan': { answers: refusedSignedIn, input: () => ({ code: 'made up' }) },
  'POST /contact/apply': { answers: aboutStranger, input: ({ people }) => ({ id: people.stranger.id }) },
  'POST /contact/answer': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.applicationTo(fixture, 'driver'), status: 'accepted' }),
  },
  'POST /contact/update': {
    answers: [400, 404, 200, 200, 404, 404],
    input: ({ people }) => ({ id: people.driver.id, remark: 'From work', tagIds: [] }),
  },
  'POST /contact/delete': {
    answers: [400, 404, 200, 200, 404, 404],
    input: ({ people }) => ({ id: people.driver.id }),
  },
  'POST /contact/block': { answers: aboutStranger, input: ({ people }) => ({ id: people.stranger.id }) },
  'POST /contact/unblock': { answers: signedIn, input: (fixture, role) => things.blockedBy(fixture, role) },
  'POST /contact/report': {
    answers: aboutStranger,
    input: ({ people }) => ({ id: people.stranger.id, reason: 'spam', words: 'Adverts' }),
  },
  'POST /contact/invite': { answers: signedIn, input: () => ({ by: 'email', to: freshEmail() }) },
  'GET /tag/list': { answers: signedIn },
  'GET /tag/detail': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.tagOf(fixture, 'driver') }),
  },
  'POST /tag/create': { answers: signedIn, input: () => ({ name: 'Climbing' }) },
  'POST /tag/update': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.tagOf(fixture, 'driver'), name: 'Team' }),
  },
  'POST /tag/delete': {
    answers: driverAlone,
    input: async (fixture) => ({ id: await things.tagOf(fixture, 'driver') }),
  },
  'POST /tag/add-contact': {
    answers: driverAlone,
    input: async (fixture) => ({
      id: await things.tagOf(fixture, 'driver'),
      userIds: [fixture.people.contact.id],
    }),
  },
  'POST /tag/remove-contact': {
    answers: driverAlone,
    input: async (fixture) => ({
      id: await things.tagOf(fixture, 'driver'),
      userIds: [fixture.people.contact.id],
    }),
  },
};

import type { OutputOf, InputOf } from '#contract/define.ts';
import {
  notificationKinds,
  type NotificationChoices,
  type readSettings as readCall,
  type NotificationKind,
  type connectDevice as connectCall,
  type connectPhone as connectPhoneCall,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Email } from '../../platform/messages/email.ts';
import { devicesOf, dropDevice, keepDevice, type PushDevice } from '../../platform/messages/push-devices.ts';
import { refuseField, Refusal, noSession } from '../../platform/refusal.ts';
import { isSignedIn, familyOf } from '../identity/queries.ts';
import { latestConsents, contactDetailsOf, sayOptIn } from '../identity/service.ts';
import { mayFollowPushAt, mayGoOutAt } from './rules/quiet-hours.ts';
import * as store from './store.ts';
import { choicesOf, lastPush } from './store.ts';
import { waitMs } from './tell-people.ts';

/** A person's choices and consents. */
export async function readSettings(app: App, userId: string): Promise<OutputOf<typeof readCall>> {
  const [chosen, consents, details, publicKey, devices] = await Promise.all([
    store.choicesOf(app.db, userId),
    latestConsents(app.db, userId),
    contactDetailsOf(app, [userId]),
    app.push.publicKey(),
    countDevices(app, userId),
  ]);
  const consent = consents.find(({ document }) => document === 'optin');
  const own = details.get(userId);
  return {
    choices: chosen,
    consent:
      consent === undefined
        ? null
        : { given: consent.given, version: consent.version, at: consent.at.toISOString() },
    phone: own?.phoneVerified === true ? own.phone : '',
    email: own?.email ?? '',
    push: { publicKey, phones: [...app.push.phones], devices },
  };
}

/**
 * Stores a person's choices; records consent and its withdrawal. The first choice of text messages is consent
 * to them. Refuses `notification.phoneUnverified` for SMS newly chosen without a verified phone.
 */
export async function saveChoices(
  app: App,
  userId: string,
  chosen: NotificationChoices,
): Promise<NotificationChoices> {
  const before = await store.choicesOf(app.db, userId);
  const details = (await contactDetailsOf(app, [userId])).get(userId);
  // SMS stays chosen after the number is removed, and nothing is sent: saving other choices must not fail
  // because of it.
  const newSms = notificationKinds.some((kind) => chosen.kinds[kind].sms && !before.kinds[kind].sms);
  if (newSms && details?.phoneVerified !== true)
    throw refuseField(
      'notification.phoneUnverified',
      'kinds',
      'Please verify your phone number first to get text messages.',
    );
  const consent = (await latestConsents(app.db, userId)).find(({ document }) => document === 'optin');
  const isFirstSms = newSms && chosen.agreed && consent?.given !== true;
  const now = app.clock.now();
  await app.transact('save notification choices', async (tx) => {
    await store.keepChoices(tx, userId, chosen, now);
    if (chosen.agreed !== before.agreed || isFirstSms) await sayOptIn(tx, userId, chosen.agreed, now);
  });
  return chosen;
}

/**
 * Stops emails of one kind, or of all, for the person in an email's signed token. Refuses
 * `notification.linkOver`.
 */
export async function unsubscribe(
  app: App,
  { kind, code, all }: { kind: NotificationKind; code: string; all: boolean },
): Promise<void> {
  const [userId] = (await app.signedTokens.verify(`unsubscribe ${kind}`, code)) ?? [];
  const known = userId !== undefined && (await contactDetailsOf(app, [userId])).has(userId);
  if (!known) throw new Refusal('notification.linkOver', 'This link no longer works.', { code: 404 });
  const chosen = await store.choicesOf(app.db, userId);
  const ended = (each: NotificationKind) => (all || each === kind ? false : chosen.kinds[each].email);
  const kinds = Object.fromEntries(
    notificationKinds.map((each) => [each, { ...chosen.kinds[each], email: ended(each) }]),
  ) as NotificationChoices['kinds'];
  await app.transact('unsubscribe', (tx) =>
    store.keepChoices(tx, userId, { ...chosen, kinds }, app.clock.now()),
  );
}

/** The subject of an email that another feature sends instead of a notification's. */
interface EmailAbout {
  userId: string;
  kind: NotificationKind;
  /** The thing of the notification. */
  thing: string;
  /** The instant of the oldest event that the email reports. */
  since: Date;
}

/**
 * The terms of an email of a kind that sends its own: if the person wants it, its earliest time, and the time
 * of the last push message about its thing. Events until then need no email. `pushedAt` is null without such
 * a push message, or if the person chose both.
 */
export async function emailTerms(
  tx: Db,
  { userId, kind, thing, since }: EmailAbout,
  now: Date,
): Promise<{ isWanted: boolean; mayGoOutAt: Date; pushedAt: Date | null }> {
  const chosen = await choicesOf(tx, userId);
  const { agreed, kinds, quietHours, emailsBesidePush } = chosen;
  const isWanted = agreed && kinds[kind].email;
  const endsQuietAt = mayGoOutAt(quietHours, now);
  if (emailsBesidePush) return { isWanted, mayGoOutAt: endsQuietAt, pushedAt: null };
  const pushedAt = await lastPush(tx, { userId, thing, since });
  const devices = kinds[kind].push ? await devicesOf(tx, userId, (family) => isSignedIn(family, now)) : [];
  const followsAt = mayFollowPushAt(quietHours, since, { pauseMs: waitMs.email });
  const waits = devices.length > 0 && followsAt > endsQuietAt;
  return { isWanted, mayGoOutAt: waits ? followsAt : endsQuietAt, pushedAt };
}

/** The number of devices on which a person receives pushes. */
async function countDevices({ db, clock }: App, userId: string): Promise<number> {
  return (await devicesOf(db, userId, (family) => isSignedIn(family, clock.now()))).length;
}

/** Connects a device to pushes until its sign-in ends. Refuses `notification.pushService`. */
export async function connectDevice(
  app: App,
  caller: Caller,
  { endpoint, keys }: InputOf<typeof connectCall>,
): Promise<{ devices: number }> {
  if (!app.push.knows(endpoint))
    throw refuseField('notification.pushService', 'endpoint', 'We can’t reach this browser’s push service.');
  return connect(app, caller, { carrier: 'web', endpoint, ...keys });
}

/** Connects a phone app to pushes until its sign-in ends. Refuses `notification.phoneCarrier`. */
export async function connectPhone(
  app: App,
  caller: Caller,
  { carrier, token }: InputOf<typeof connectPhoneCall>,
): Promise<{ devices: number }> {
  if (!app.push.phones.includes(carrier))
    throw refuseField(
      'notification.phoneCarrier',
      'carrier',
      'We can’t send push messages to this phone yet.',
    );
  return connect(app, caller, { carrier, endpoint: token, p256dh: null, auth: null });
}

async function connect(
  app: App,
  { userId, sessionId }: Caller,
  device: Pick<PushDevice, 'carrier' | 'endpoint' | 'p256dh' | 'auth'>,
): Promise<{ devices: number }> {
  const { db, transact, clock } = app;
  const family = await familyOf(db, sessionId);
  if (family === null) throw noSession();
  await transact('connect device', (tx) =>
    keepDevice(tx, { ...device, userId, family, createdAt: clock.now() }),
  );
  return { devices: await countDevices(app, userId) };
}

/** Stops pushes to one device of a person. */
export async function disconnectDevice(
  app: App,
  userId: string,
  endpoint: string,
): Promise<{ devices: number }> {
  await app.transact('disconnect device', (tx) => dropDevice(tx, userId, endpoint));
  return { devices: await countDevices(app, userId) };
}

/** How long an email's unsubscribe link works. */
const linkLifeMs = 400 * dayMs;

/**
 * Links by which an email's reader unsubscribes from its kind without signing in: a page, and one click in
 * the mail program.
 */
export async function unsubscribeLinks(
  { clock, env, signedTokens }: App,
  kind: NotificationKind,
  userId: string,
): Promise<Email['unsubscribe']> {
  const code = await signedTokens.sign(`unsubscribe ${kind}`, [userId], later(clock.now(), linkLifeMs));
  const query = `kind=${kind}&code=${code}`;
  return {
    kind,
    page: `${env.publicUrl}/pages/account/unsubscribe?${query}`,
    oneClick: `${env.publicUrl}/notification/one-click?${query}`,
  };
}

import type { OutputOf } from '#contract/define.ts';
import {
  notificationKinds,
  type NotificationChoices,
  type readSettings as readCall,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { latestConsents, contactDetailsOf, sayOptIn } from '../identity/service.ts';
import { countDevices } from './push-device.ts';
import * as store from './store.ts';

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

import type { OutputOf } from '#contract/define.ts';
import {
  notificationKinds,
  type NotificationChoices,
  type readSettings as readCall,
} from '#contract/notifications/endpoints.ts';
import { refuseField } from '../../platform/refusal.ts';
import type { NotificationContext } from './context.ts';
import { connectDevice, connectPhone, countDevices, disconnectDevice } from './push-device.ts';
import * as store from './store.ts';
import { unsubscribe } from './unsubscribe.ts';
import { latestConsents, contactDetailsOf, sayOptIn } from '../identity/service.ts';

/** Which notifications a person wants, on which devices and channels, and the quiet hours. */
export const createChannelSettings = (context: NotificationContext) => ({
  settings: readSettings.bind(null, context),
  save: saveChoices.bind(null, context),
  unsubscribe: unsubscribe.bind(null, context),
  connectDevice: connectDevice.bind(null, context),
  connectPhone: connectPhone.bind(null, context),
  disconnectDevice: disconnectDevice.bind(null, context),
});

/** A person's choices and consents. */
async function readSettings(
  context: NotificationContext,
  userId: string,
): Promise<OutputOf<typeof readCall>> {
  const { platform } = context;
  const [chosen, consents, details, publicKey, devices] = await Promise.all([
    store.choicesOf(platform.db, userId),
    latestConsents(platform.db, userId),
    contactDetailsOf(platform, [userId]),
    platform.push.publicKey(),
    countDevices(context, userId),
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
    push: { publicKey, phones: [...platform.push.phones], devices },
  };
}

/**
 * Stores a person's choices; records consent and its withdrawal. The first choice of text messages is consent
 * to them. Refuses `notification.phoneUnverified` for SMS newly chosen without a verified phone.
 */
async function saveChoices(
  { platform }: NotificationContext,
  userId: string,
  chosen: NotificationChoices,
): Promise<NotificationChoices> {
  const before = await store.choicesOf(platform.db, userId);
  const details = (await contactDetailsOf(platform, [userId])).get(userId);
  // SMS stays chosen after the number is removed, and nothing is sent: saving other choices must not fail
  // because of it.
  const newSms = notificationKinds.some((kind) => chosen.kinds[kind].sms && !before.kinds[kind].sms);
  if (newSms && details?.phoneVerified !== true)
    throw refuseField(
      'notification.phoneUnverified',
      'kinds',
      'Please verify your phone number first to get text messages.',
    );
  const consent = (await latestConsents(platform.db, userId)).find(({ document }) => document === 'optin');
  const isFirstSms = newSms && chosen.agreed && consent?.given !== true;
  const now = platform.clock.now();
  await platform.transact(async (tx) => {
    await store.keepChoices(tx, userId, chosen, now);
    if (chosen.agreed !== before.agreed || isFirstSms) await sayOptIn(tx, userId, chosen.agreed, now);
  });
  return chosen;
}

import { Capacitor, registerPlugin } from '@capacitor/core';
import type { PushNotificationsPlugin } from '@capacitor/push-notifications';
import type { PhoneCarrier } from '#contract/notifications/endpoints.ts';
import { stored } from '../stored.ts';
import type { DevicePush, PushAddress } from './device.ts';

const notifications = registerPlugin<PushNotificationsPlugin>('PushNotifications');

/** The token by which the carrier knows this phone; empty while it is not subscribed. */
const token = stored('pushToken', (raw) => (typeof raw === 'string' ? raw : ''));

/** A carrier that cannot be reached never answers. */
const registerWithinMs = 20_000;

const carrier = (): PhoneCarrier => (Capacitor.getPlatform() === 'ios' ? 'apns' : 'fcm');
const addressOf = (value: string): PushAddress => ({ kind: 'phone', carrier: carrier(), token: value });

/** Push messages of the phone app. */
export const phonePush: DevicePush = {
  async standing(phones) {
    // Android ends an app that registers without the carrier's keys.
    if (!phones.includes(carrier())) return 'unsupported';
    const { receive } = await notifications.checkPermissions();
    if (receive === 'denied') return 'blocked';
    return receive === 'granted' ? 'allowed' : 'askable';
  },

  ask: async () => (await notifications.requestPermissions()).receive === 'granted',

  async subscribe({ channel }) {
    if (carrier() === 'fcm')
      await notifications.createChannel({ id: 'news', name: channel, importance: 4, visibility: 0 });
    const value = await register();
    token.write(value);
    return addressOf(value);
  },

  address: async () => (token.read() === '' ? null : addressOf(token.read())),

  async unsubscribe() {
    if (token.read() === '') return;
    token.write('');
    await notifications.unregister();
  },
};

/** The token arrives as an event of its own, after the call has ended. */
async function register(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const listening = await Promise.all([
    notifications.addListener('registration', ({ value }) => resolve(value)),
    notifications.addListener('registrationError', ({ error }) => reject(new Error(error))),
  ]);
  const timer = setTimeout(() => reject(new Error('timed out')), registerWithinMs);
  try {
    await notifications.register();
    return await promise;
  } finally {
    clearTimeout(timer);
    for (const each of listening) void each.remove();
  }
}

/** The data of a message, in addition to what the phone shows of it. */
interface MessageData {
  path?: unknown;
  tag?: unknown;
}

/** Calls back with the path of each notification that is tapped, the one that started the app too. */
export function followTaps(open: (path: string) => void): void {
  void notifications.addListener('pushNotificationActionPerformed', ({ notification }) => {
    const { path } = notification.data as MessageData;
    if (typeof path === 'string') open(path);
  });
}

/** Takes this app's notifications off the screen: those with a tag, or all. */
export async function closePhoneNotices(tag?: string): Promise<void> {
  if (tag === undefined) return notifications.removeAllDeliveredNotifications();
  const { notifications: shown } = await notifications.getDeliveredNotifications();
  const ofTag = shown.filter(
    (each) => each.tag === tag || (each.data as MessageData | undefined)?.tag === tag,
  );
  if (ofTag.length > 0) await notifications.removeDeliveredNotifications({ notifications: ofTag });
}

import { runsInstalled, workerSettled } from '../installed-app.ts';
import type { DevicePush, PushAddress } from './device.ts';

/** A push service that cannot be reached never answers. */
const subscribeWithinMs = 20_000;

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;

const subscription = async () => (await (await registration())?.pushManager?.getSubscription()) ?? null;

const isApplePhone = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1);

/** Push messages of a browser, by its service worker. */
export const webPush: DevicePush = {
  async standing() {
    if (!('PushManager' in window) || !('Notification' in window))
      return isApplePhone() && !runsInstalled() ? 'installFirst' : 'unsupported';
    // The first visit registers the worker only when the page is idle.
    if ((await registration()) === undefined) await workerSettled();
    if ((await registration()) === undefined) return 'unsupported';
    if (Notification.permission === 'denied') return 'blocked';
    return Notification.permission === 'granted' ? 'allowed' : 'askable';
  },

  ask: async () => (await Notification.requestPermission()) === 'granted',

  /** What was subscribed under another key is given up. */
  async subscribe({ publicKey }) {
    if ((await registration()) === undefined) throw new Error('There is no service worker.');
    // One that is still being installed cannot subscribe.
    const worker = await within(subscribeWithinMs, navigator.serviceWorker.ready);
    const key = Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    let subscribed = await worker.pushManager.getSubscription();
    const used = subscribed?.options.applicationServerKey;
    if (subscribed && used && !sameBytes(new Uint8Array(used), key)) {
      await subscribed.unsubscribe();
      subscribed = null;
    }
    subscribed ??= await within(
      subscribeWithinMs,
      worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
    );
    return addressOf(subscribed);
  },

  async address() {
    const subscribed = await subscription();
    return subscribed === null ? null : addressOf(subscribed);
  },

  async unsubscribe() {
    await (await subscription())?.unsubscribe();
  },
};

function addressOf(subscribed: PushSubscription): PushAddress {
  const { endpoint = '', keys = {} } = subscribed.toJSON();
  return { kind: 'browser', endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timed out')), milliseconds)),
  ]);
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

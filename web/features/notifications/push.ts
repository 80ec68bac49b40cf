import { useCallback, useEffect, useState } from 'react';
import { connectDevice, disconnectDevice, readSettings } from '#contract/notifications/endpoints.ts';
import { call } from '../../core/api.ts';
import { runsInstalled } from '../../core/installed-app.ts';
import { registerThisDevice } from '../../core/launch.ts';
import { invalidate } from '../../core/query-client.ts';
import { isSignedIn, readSession } from '../../core/session.ts';
import { stored } from '../../core/stored.ts';

/** How this browser stands to push messages. */
export type PushState = 'unsupported' | 'installFirst' | 'blocked' | 'off' | 'on';

/** A person who switched it on here: another person who signs in on the same device has not asked for it. */
const switchedOnBy = stored('push', (raw) => (typeof raw === 'string' ? raw : ''));

/** A push service that cannot be reached never answers. */
const subscribeWithinMs = 20_000;

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;

const isApplePhone = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1);

async function stateNow(): Promise<PushState> {
  if (!('PushManager' in window) || !('Notification' in window))
    return isApplePhone() && !runsInstalled() ? 'installFirst' : 'unsupported';
  const worker = await registration();
  if (worker === undefined) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const subscription = await worker.pushManager.getSubscription();
  return subscription !== null && switchedOnBy.read() === readSession().id ? 'on' : 'off';
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timed out')), milliseconds)),
  ]);
}

/** Subscribes this browser and tells the server; what was subscribed under another key is given up. */
async function connect(publicKey: string): Promise<void> {
  const worker = await registration();
  if (worker === undefined) throw new Error('There is no service worker.');
  const key = Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
  let subscription = await worker.pushManager.getSubscription();
  const used = subscription?.options.applicationServerKey;
  if (subscription && used && !sameBytes(new Uint8Array(used), key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await within(
    subscribeWithinMs,
    worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
  );
  const { endpoint, keys = {} } = subscription.toJSON();
  await call(
    connectDevice,
    { endpoint: endpoint ?? '', keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } },
    { quiet: true },
  );
  await registerThisDevice();
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

async function disconnect(): Promise<void> {
  const subscription = await (await registration())?.pushManager.getSubscription();
  if (!subscription) return;
  await call(disconnectDevice, { endpoint: subscription.endpoint }, { quiet: true });
  await subscription.unsubscribe();
}

/**
 * Connects the device anew where its person had switched push messages on: its subscription may have been
 * renewed, and the one of an earlier sign-in has ended with it. Called at every launch and after signing in.
 */
export async function renewPush(): Promise<void> {
  const user = readSession();
  if (!isSignedIn(user) || switchedOnBy.read() !== user.id) return;
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const { push } = await call(readSettings, {}, { quiet: true });
  await connect(push.publicKey);
}

/** How this browser stands, and the switch. `failed` says that the last try came to nothing. */
export function usePush(publicKey: string): {
  state: PushState | null;
  busy: boolean;
  failed: boolean;
  turn: (on: boolean) => void;
} {
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const look = useCallback(() => stateNow().then(setState, () => setState('unsupported')), []);
  useEffect(() => {
    void look();
  }, [look]);

  async function turn(on: boolean): Promise<void> {
    setBusy(true);
    setFailed(false);
    try {
      if (!on) await disconnect();
      else if ((await Notification.requestPermission()) === 'granted') await connect(publicKey);
      switchedOnBy.write(on && Notification.permission === 'granted' ? readSession().id : '');
      await invalidate('/notification/settings');
    } catch {
      setFailed(true);
    }
    await look();
    setBusy(false);
  }
  return { state, busy, failed, turn: (on) => void turn(on) };
}

import webPush from 'web-push';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { settingMadeOnce } from '../database/settings.ts';
import type { Env } from '../env.ts';
import { dropEnded, findDevice } from './push-devices.ts';

/** One push message to one device. */
export interface PushMessage {
  deviceId: string;
  /** JSON, as the app's service worker reads it. */
  text: string;
  /** By then it is worth nothing any more; milliseconds since 1970. */
  goodUntilMs: number;
  /** Whether the device should be woken for it. */
  urgent: boolean;
  /** What `Outbox.whenLeft` is told once the push service has taken it. */
  receipt?: string;
}

export interface PushSender {
  /** The key that browsers subscribe with. */
  publicKey(): Promise<string>;
  /** Whether the address belongs to a push service this installation sends to. */
  knows(endpoint: string): boolean;
  /**
   * Hands a message to the device's push service, encrypted for the device alone. A subscription that has
   * ended is forgotten.
   * @returns whether the push service has taken it.
   * @throws Error when it could not be handed over; it is tried again.
   */
  send(message: PushMessage): Promise<boolean>;
}

const timeoutMs = 10_000;
const ended = new Set([404, 410]);
const mostSeconds = 24 * 3600;

interface Keys {
  publicKey: string;
  privateKey: string;
}

/**
 * Web Push with VAPID keys from the configuration, else with a pair made at its first use and kept in the
 * database.
 */
export function createPushSender(
  env: Pick<Env, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'PUSH_SERVICES' | 'MAIL_FROM'>,
  db: Db,
  clock: Clock,
): PushSender {
  let kept: Promise<Keys> | null = null;
  const keys = () => {
    kept ??= keysOf(env, db).catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
  const subject = `mailto:${/<([^>]+)>/.exec(env.MAIL_FROM)?.[1] ?? env.MAIL_FROM}`;

  return {
    publicKey: async () => (await keys()).publicKey,

    knows: (endpoint) => isKnown(endpoint, env.PUSH_SERVICES),

    async send({ deviceId, text, goodUntilMs, urgent }) {
      const secondsLeft = Math.floor((goodUntilMs - clock.now().getTime()) / 1000);
      if (secondsLeft <= 0) return false;
      const device = await findDevice(db, deviceId);
      if (device === null || !isKnown(device.endpoint, env.PUSH_SERVICES)) return false;
      const { endpoint, method, headers, body } = webPush.generateRequestDetails(
        { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
        text,
        {
          vapidDetails: { subject, ...(await keys()) },
          TTL: Math.min(secondsLeft, mostSeconds),
          urgency: urgent ? 'high' : 'normal',
          contentEncoding: 'aes128gcm',
        },
      );
      const response = await fetch(endpoint, {
        method,
        headers: headers as Record<string, string>,
        body: new Uint8Array(body ?? []),
        // The address is known to belong to a push service; where that one would send us is not.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (ended.has(response.status)) await dropEnded(db, deviceId);
      else if (!response.ok) throw new Error(`The push service answered ${response.status}.`);
      return response.ok;
    },
  };
}

/**
 * Addresses come from browsers, and the server posts to them: only to services that the configuration names,
 * so that no caller can point it at another host. `*.` stands for any name below; a whole origin may be named
 * too.
 */
export function isKnown(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { origin, protocol, hostname, port, username } = new URL(endpoint);
  if (username !== '') return false;
  return services.some((service) => {
    if (service.includes('://')) return origin === service;
    if (protocol !== 'https:' || port !== '') return false;
    return service.startsWith('*.') ? hostname.endsWith(service.slice(1)) : hostname === service;
  });
}

async function keysOf(
  {
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
  }: Pick<Env, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY'>,
  db: Db,
): Promise<Keys> {
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  return (await settingMadeOnce(db, 'vapidKeys', webPush.generateVAPIDKeys)) as Keys;
}

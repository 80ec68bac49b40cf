import webPush from 'web-push';
import type { Db } from '../database/db.ts';
import { settingMadeOnce } from '../database/settings.ts';
import type { Env } from '../env.ts';
import type { Carry } from './push-devices.ts';

const timeoutMs = 10_000;
const ended = new Set([404, 410]);

interface Keys {
  publicKey: string;
  privateKey: string;
}

/**
 * Web Push, encrypted for the device alone, with VAPID keys from the configuration, else with a pair made at
 * its first use and stored in the database.
 */
export function createWebPush(
  env: Pick<Env, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'PUSH_SERVICES' | 'MAIL_FROM'>,
  db: Db,
): { publicKey: () => Promise<string>; carry: Carry } {
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

    async carry({ endpoint: address, p256dh, auth }, { text, seconds, urgent }) {
      // The configuration may name fewer services by now.
      if (!isKnown(address, env.PUSH_SERVICES) || p256dh === null || auth === null) return 'skipped';
      const { endpoint, method, headers, body } = webPush.generateRequestDetails(
        { endpoint: address, keys: { p256dh, auth } },
        text,
        {
          vapidDetails: { subject, ...(await keys()) },
          TTL: seconds,
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
      if (ended.has(response.status)) return 'ended';
      if (!response.ok) throw new Error(`The push service answered ${response.status}.`);
      return 'taken';
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

import { phoneCarriers, type PhoneCarrier } from '#contract/notifications/endpoints.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Env } from '../env.ts';
import { createApns } from './apns.ts';
import { createFcm } from './fcm.ts';
import { type Carry, dropEnded, findDevice, type PushDevice } from './push-devices.ts';
import { createWebPush, isKnown } from './web-push.ts';

export interface PushMessage {
  deviceId: string;
  /** JSON (`Pushed`), as the app's service worker reads it. */
  text: string;
  /** By then it is worth nothing any more; milliseconds since 1970. */
  goodUntilMs: number;
  /** Whether the device should be woken for it. */
  urgent: boolean;
  /** Passed to `Outbox.whenLeft` once the push service has taken it. */
  receipt?: string;
}

export interface PushSender {
  /** The key that browsers subscribe with. */
  publicKey(): Promise<string>;
  /** Whether the address belongs to a push service this installation sends to. */
  knows(endpoint: string): boolean;
  /** The phones that the configuration reaches. */
  phones: readonly PhoneCarrier[];
  /**
   * Hands a message to what carries it to the device. A device that has ended is forgotten.
   * @returns whether it has been taken.
   * @throws Error when it could not be handed over; it is tried again.
   */
  send(message: PushMessage): Promise<boolean>;
  close(): void;
}

const mostSeconds = 24 * 3600;

/** Push messages to browsers, and to the phone apps whose carriers are configured. */
export function createPushSender(
  env: Pick<
    Env,
    | 'VAPID_PUBLIC_KEY'
    | 'VAPID_PRIVATE_KEY'
    | 'PUSH_SERVICES'
    | 'MAIL_FROM'
    | 'PHONE_APP_ID'
    | 'FCM_SERVICE_ACCOUNT'
    | 'FCM_URL'
    | 'APPLE_TEAM_ID'
    | 'APNS_KEY'
    | 'APNS_KEY_ID'
    | 'APNS_URL'
  >,
  db: Db,
  clock: Clock,
): PushSender {
  const web = createWebPush(env, db);
  const apns = createApns(env);
  const carriers: Record<PushDevice['carrier'], Carry | null> = {
    web: web.carry,
    fcm: createFcm(env),
    apns: apns?.carry ?? null,
  };

  return {
    publicKey: web.publicKey,
    knows: (endpoint) => isKnown(endpoint, env.PUSH_SERVICES),
    phones: phoneCarriers.filter((carrier) => carriers[carrier] !== null),

    async send({ deviceId, text, goodUntilMs, urgent }) {
      const secondsLeft = Math.floor((goodUntilMs - clock.now().getTime()) / 1000);
      if (secondsLeft <= 0) return false;
      const device = await findDevice(db, deviceId);
      const carry = device === null ? null : carriers[device.carrier];
      if (device === null || carry === null) return false;
      const end = await carry(device, { text, urgent, seconds: Math.min(secondsLeft, mostSeconds) });
      if (end === 'ended') await dropEnded(db, deviceId);
      return end === 'taken';
    },

    close: () => apns?.close(),
  };
}

import { randomUUID } from 'node:crypto';
import { outboxMessages } from '../../schema/platform.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Env } from '../env.ts';
import { withoutSecrets } from './email-blocks.ts';

export interface Sms {
  /** E.164. */
  to: string;
  text: string;
  /** The codes and addresses in the text that are for its reader alone. */
  secrets: readonly string[];
  /** Passed to `Outbox.whenLeft` once it has been taken. */
  receipt?: string;
  /** After it, in milliseconds since 1970, it is not sent any more, however long the queue was behind. */
  goodUntilMs?: number;
}

export interface SmsSender {
  /** @throws Error when the text could not be handed over; it is tried again. */
  send(message: Sms): Promise<void>;
}

/** The content of an SMS, for others than its reader. */
export const aboutSms = ({ text, secrets }: Pick<Sms, 'text' | 'secrets'>): string =>
  withoutSecrets(text, secrets);

const gatewayTimeoutMs = 10_000;

/** The gateway where `SMS_URL` names one, else the built-in outbox that the demo shows as a page. */
export function createSmsSender({ SMS_URL: gateway }: Pick<Env, 'SMS_URL'>, db: Db, clock: Clock): SmsSender {
  if (gateway === undefined) {
    return {
      async send({ to, text }) {
        const letter = { id: randomUUID(), recipient: to, subject: 'SMS', body: text, at: clock.now() };
        await db.insert(outboxMessages).values(letter);
      },
    };
  }
  return {
    async send({ to, text, receipt, goodUntilMs }) {
      const response = await fetch(gateway, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, text, receipt, goodUntilMs }),
        redirect: 'error',
        signal: AbortSignal.timeout(gatewayTimeoutMs),
      });
      if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}.`);
    },
  };
}

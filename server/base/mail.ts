import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { outboxLetters } from '../tables/house.ts';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import type { Env } from './env.ts';

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Mail {
  /** @throws Error when the letter could not be handed over; it is tried again. */
  send(letter: Letter): Promise<void>;
}

/** A mail server where `SMTP_URL` names one, else the built-in outbox that the demo shows as a page. */
export function createMail(env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>, db: Db, clock: Clock): Mail {
  if (env.SMTP_URL === undefined) {
    return {
      async send(letter) {
        await db.insert(outboxLetters).values({
          id: randomUUID(),
          recipient: letter.to,
          subject: letter.subject,
          body: letter.text,
          at: clock.now(),
        });
      },
    };
  }
  const transport = createTransport(env.SMTP_URL);
  return {
    async send(letter) {
      await transport.sendMail({
        from: env.MAIL_FROM,
        to: letter.to,
        subject: letter.subject,
        text: letter.text,
      });
    },
  };
}

import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { outboxMessages } from '../../schema/platform.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Env } from '../env.ts';
import { emailPage, withoutForeignLinks } from './email-page.ts';

export interface Email {
  to: string;
  subject: string;
  /** Paragraphs with an empty line between them; the drawn page of the email is made from them. */
  text: string;
  /** Where emails of this kind are ended without signing in: a page for people, an address for mail programs (RFC 8058). */
  unsubscribe?: { page: string; oneClick: string };
  /** What `Outbox.whenLeft` is told once the mail server has taken it. */
  receipt?: string;
  /** After it, in milliseconds since 1970, it is not sent any more, however long the queue was behind. */
  goodUntilMs?: number;
}

export interface EmailSender {
  /** @throws Error when the email could not be handed over; it is tried again. */
  send(letter: Email): Promise<void>;
}

/** A mail server where `SMTP_URL` names one, else the built-in outbox that the demo shows as a page. */
export function createEmailSender(
  env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'publicUrl'>,
  db: Db,
  clock: Clock,
): EmailSender {
  const home = env.publicUrl;
  if (env.SMTP_URL === undefined) {
    return {
      async send(letter) {
        await db.insert(outboxMessages).values({
          id: randomUUID(),
          recipient: letter.to,
          subject: withoutForeignLinks(letter.subject, home),
          body: plainText(letter, home),
          page: emailPage({ ...letter, home }),
          at: clock.now(),
        });
      },
    };
  }
  const transport = createTransport(env.SMTP_URL);
  return {
    async send(letter) {
      const { to, subject, unsubscribe } = letter;
      await transport.sendMail({
        from: env.MAIL_FROM,
        to,
        subject: withoutForeignLinks(subject, home),
        text: plainText(letter, home),
        html: emailPage({ ...letter, home }),
        ...(unsubscribe === undefined
          ? {}
          : {
              headers: {
                'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              },
            }),
      });
    },
  };
}

/** The plain part says too where such emails are ended. */
function plainText({ text: written, unsubscribe }: Email, home: string): string {
  const text = withoutForeignLinks(written, home);
  if (unsubscribe === undefined) return text;
  const words = text.includes('顺路 Sameway') ? '不再接收此类邮件：' : 'Stop letters of this kind: ';
  return `${text}\n${words}${unsubscribe.page}\n`;
}

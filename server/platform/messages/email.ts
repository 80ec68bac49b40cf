import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { outboxMessages } from '../../schema/platform.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Env } from '../env.ts';
import { paragraph, subjectForOthers, type EmailContent } from './email-blocks.ts';
import { emailHtml } from './email-html.ts';
import { emailText } from './email-text.ts';
import { withoutForeignLinks } from './foreign-links.ts';
import { withoutSecrets } from './secrets.ts';

export interface Email extends EmailContent {
  to: string;
  /**
   * Where emails of this kind are ended without signing in: a page for people, an address for mail programs
   * (RFC 8058).
   */
  unsubscribe?: { page: string; oneClick: string };
  /** What `Outbox.whenLeft` is told once the mail server has taken it. */
  receipt?: string;
  /** After it, in milliseconds since 1970, it is not sent any more, however long the queue was behind. */
  goodUntilMs?: number;
}

/** An email as releases before decision 0056 queued it: its text, with an empty line between paragraphs. */
export type EarlierEmail = Omit<Email, keyof EmailContent> & { subject: string; text: string };

/** An email that the queue gives back, whichever release queued it. */
export function fromQueue(queued: Email | EarlierEmail): Email {
  if ('blocks' in queued) return queued;
  const { text, ...rest } = queued;
  const language = text.includes('顺路 Sameway') ? 'zh' : 'en';
  return {
    ...rest,
    language,
    blocks: text
      .trim()
      .split(/\n{2,}/)
      .map(paragraph),
  };
}

/**
 * What an email is about, for others than its reader. An earlier release did not say what in it is secret:
 * then all of it is.
 */
export const aboutEmail = (queued: Email | EarlierEmail): string =>
  'blocks' in queued ? subjectForOthers(queued) : withoutSecrets(queued.subject, [queued.subject]);

export interface EmailSender {
  /** @throws Error when the email could not be handed over; it is tried again. */
  send(email: Email): Promise<void>;
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
      async send(email) {
        const { to, subject, unsubscribe } = email;
        await db.insert(outboxMessages).values({
          id: randomUUID(),
          recipient: to,
          subject: withoutForeignLinks(subject, home),
          body: emailText(email, home, unsubscribe?.page),
          page: emailHtml(email, home, unsubscribe?.page),
          at: clock.now(),
        });
      },
    };
  }
  const transport = createTransport(env.SMTP_URL);
  return {
    async send(email) {
      const { to, subject, unsubscribe } = email;
      await transport.sendMail({
        from: env.MAIL_FROM,
        to,
        subject: withoutForeignLinks(subject, home),
        text: emailText(email, home, unsubscribe?.page),
        html: emailHtml(email, home, unsubscribe?.page),
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

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type Transporter } from 'nodemailer';
import type { NotificationKind } from '#contract/notifications/endpoints.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { secondMs, type Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Env } from '../env.ts';
import type { EmailContent } from './email-blocks.ts';
import { emailHtml, type EmailFooter, emailText, withoutForeignLinks } from './email-html.ts';
import { translate } from './translate.ts';

export interface Email extends EmailContent {
  to: string;
  /**
   * Where emails of this kind are ended without signing in: a page for people, an address for mail programs
   * (RFC 8058).
   */
  unsubscribe?: { page: string; oneClick: string; kind: NotificationKind };
  /** Passed to `Outbox.whenLeft` once the mail server has taken it. */
  receipt?: string;
  /** After it, in milliseconds since 1970, it is not sent any more, however long the queue was behind. */
  goodUntilMs?: number;
}

/** The lines below an email that its reader can end. */
function footerOf({ language, unsubscribe }: Email, home: string): EmailFooter | undefined {
  if (unsubscribe === undefined) return undefined;
  const t = translate(language);
  const { page: stopPage, kind } = unsubscribe;
  return {
    stopPage,
    stop: t('stopKind', { kind: t(`kinds.${kind}`) }),
    settingsPage: `${home}/pages/account/settings/notificationSettings`,
  };
}

export interface EmailSender {
  /** @throws Error when the email could not be handed over; it is tried again. */
  send(email: Email): Promise<void>;
  /**
   * Whether the mail server takes emails, as far as this process knows: `away` once it cannot be reached or
   * refuses the login, until it is reached again.
   */
  state(): Promise<'ready' | 'away'>;
}

/** Nodemailer's codes for errors that are about one email; after all others the server takes none. */
const aboutOneEmail = ['EENVELOPE', 'EMESSAGE'];
/** While the server is away, a process tries to reach it this often without an email to send. */
const verifyEveryMs = 30 * secondMs;
/** The server may hang; the state is read without it after this time. */
const verifyWithinMs = 2 * secondMs;

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
        const { to, subject } = email;
        const footer = footerOf(email, home);
        await db.insert(outboxMessages).values({
          id: randomUUID(),
          recipient: to,
          subject: withoutForeignLinks(subject, home),
          body: emailText(email, home, footer),
          page: emailHtml(email, home, footer),
          at: clock.now(),
        });
      },
      state: async () => 'ready',
    };
  }
  return smtpSender(createTransport(env.SMTP_URL), { from: env.MAIL_FROM, home });
}

function smtpSender(
  transport: Pick<Transporter, 'sendMail' | 'verify'>,
  { from, home }: { from: string; home: string },
): EmailSender {
  let isAway = false;
  let verifiedAtMs = 0;
  const note = (error: unknown) => {
    isAway = !aboutOneEmail.includes((error as { code?: string }).code ?? '');
  };
  const verify = () =>
    transport.verify().then(
      () => void (isAway = false),
      (error: unknown) => note(error),
    );
  return {
    async send(email) {
      const { to, subject, unsubscribe } = email;
      const footer = footerOf(email, home);
      try {
        await transport.sendMail({
          from,
          to,
          subject: withoutForeignLinks(subject, home),
          text: emailText(email, home, footer),
          html: emailHtml(email, home, footer),
          ...(unsubscribe === undefined
            ? {}
            : {
                headers: {
                  'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                },
              }),
        });
        isAway = false;
      } catch (error) {
        note(error);
        throw error;
      }
    },
    async state() {
      const nowMs = performance.now();
      if (isAway && nowMs - verifiedAtMs > verifyEveryMs) {
        verifiedAtMs = nowMs;
        await Promise.race([verify(), sleep(verifyWithinMs, null, { ref: false })]);
      }
      return isAway ? 'away' : 'ready';
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputOf } from '#contract/define.ts';
import type { tryMail } from '#contract/setup/endpoints.ts';
import { words } from '#locales/server.ts';
import { secondMs } from '../../../platform/clock.ts';
import { paragraph } from '../../../platform/messages/email-blocks.ts';
import type { Platform } from '../../../platform/platform.ts';

type Tried = OutputOf<typeof tryMail>;

/** The operator is waiting on the page. */
const answersWithinMs = 25 * secondMs;

/** Sends an email directly through the mail server, without the queue, and returns the result. */
export async function trySending(
  { env, mail }: Pick<Platform, 'env' | 'mail'>,
  { to, language }: { to: string; language: 'en' | 'zh' },
): Promise<Tried> {
  if (env.SMTP_URL === undefined && env.production) return { outcome: 'none', said: '' };
  const { subject, text } = words[language].emails.setup;
  const sent = mail.send({ to, subject, preview: text, language, blocks: [paragraph(text)] });
  try {
    const ended = await Promise.race([sent.then(() => true), sleep(answersWithinMs, false, { ref: false })]);
    if (!ended) {
      // The operator has seen that it timed out; later results are dropped.
      sent.catch(() => undefined);
      return { outcome: 'late', said: '' };
    }
    return { outcome: env.SMTP_URL === undefined ? 'kept' : 'sent', said: '' };
  } catch (error) {
    return { outcome: outcomeOf(error), said: wordsOf(error) };
  }
}

/** Maps the errors of nodemailer and Node. */
function outcomeOf(error: unknown): Tried['outcome'] {
  const { code = '', command = '', cause } = error as { code?: string; command?: string; cause?: unknown };
  const inner = (cause as { code?: string } | undefined)?.code ?? '';
  const codes = `${code} ${inner} ${error instanceof Error ? error.message : ''}`;
  if (code === 'EAUTH') return 'login';
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(codes)) return 'unknownHost';
  if (/CERT|certificate|ETLS|SSL|wrong version number/i.test(codes)) return 'certificate';
  if (/ETIMEDOUT|timeout/i.test(codes)) return 'late';
  if (/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ECONNECTION/.test(codes)) return 'unreachable';
  if (code !== 'EENVELOPE') return 'other';
  return command.startsWith('MAIL') ? 'sender' : command.startsWith('RCPT') ? 'recipient' : 'other';
}

/** The mail server's own answer, if it gave one, without what was sent to it. */
function wordsOf(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return (response ?? message ?? '').slice(0, 300);
}

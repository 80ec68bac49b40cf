import type { Env } from '../../platform/env.ts';

/** Only a demo without a mail server shows all emails to its visitors. */
export const showsOutbox = ({ SMTP_URL, DEMO }: Pick<Env, 'SMTP_URL' | 'DEMO'>): boolean =>
  DEMO && SMTP_URL === undefined;

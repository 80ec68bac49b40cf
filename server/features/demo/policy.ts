import type { Env } from '../../platform/env.ts';

/** Emails are shown to each person in the demo alone, and only where no mail server takes them. */
export const showsOutbox = ({ SMTP_URL, DEMO }: Pick<Env, 'SMTP_URL' | 'DEMO'>): boolean =>
  DEMO && SMTP_URL === undefined;

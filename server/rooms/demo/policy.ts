import type { Env } from '../../base/env.ts';

/** Letters are shown to everybody only where no mail server takes them, and never in production. */
export const showsOutbox = ({ SMTP_URL, production }: Pick<Env, 'SMTP_URL' | 'production'>): boolean =>
  SMTP_URL === undefined && !production;

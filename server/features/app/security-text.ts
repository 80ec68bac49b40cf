import { dayMs, later } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';

/** Without a date of its own the file is good for so long from the day it is read. */
const usualDays = 180;

/**
 * What `/.well-known/security.txt` says (RFC 9116): to whom a weakness of this installation is told; null
 * where nobody is named, and after the date that the operator has set, when it must not be believed any more.
 */
export function securityText(
  {
    SECURITY_CONTACT: contacts,
    SECURITY_EXPIRES: expires,
    SECURITY_POLICY: policy,
    publicUrl,
  }: Pick<Env, 'SECURITY_CONTACT' | 'SECURITY_EXPIRES' | 'SECURITY_POLICY' | 'publicUrl'>,
  now: Date,
): string | null {
  const endOfDay = (day: string) => new Date(`${day}T23:59:59Z`);
  const usual = endOfDay(
    later(now, usualDays * dayMs)
      .toISOString()
      .slice(0, 10),
  );
  const until = expires === undefined ? usual : endOfDay(expires);
  if (contacts.length === 0 || until <= now) return null;
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${until.toISOString().replace('.000Z', 'Z')}`,
    'Preferred-Languages: en, zh',
    // The standard takes addresses of the web by https alone.
    ...(publicUrl.startsWith('https:') ? [`Canonical: ${publicUrl}/.well-known/security.txt`] : []),
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
  ];
  return `${lines.join('\n')}\n`;
}

import { dayMs, later } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';

/** How long the file is valid if the operator sets no date, counted from the day it is read. */
const usualDays = 180;

/**
 * The text of `/.well-known/security.txt` (RFC 9116), which says where to report vulnerabilities of this
 * installation; null if no contact is set, and after the expiry date that the operator set.
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
    // The standard requires https for web addresses.
    ...(publicUrl.startsWith('https:') ? [`Canonical: ${publicUrl}/.well-known/security.txt`] : []),
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
  ];
  return `${lines.join('\n')}\n`;
}

import { phoneLinkPaths } from '#contract/app/pages.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';

/**
 * Android's file `/.well-known/assetlinks.json`, which it reads before it opens links of this installation in
 * the app; null where no Android app is set up.
 */
export function androidLinks({
  PHONE_APP_ID: appId,
  ANDROID_CERTIFICATES: certificates,
}: Pick<Env, 'PHONE_APP_ID' | 'ANDROID_CERTIFICATES'>) {
  if (appId === undefined || certificates.length === 0) return null;
  return [
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: appId,
        sha256_cert_fingerprints: certificates,
      },
    },
  ];
}

/** Links that iOS opens in the phone app, at `/.well-known/apple-app-site-association`. */
export function appleLinks({
  PHONE_APP_ID: appId,
  APPLE_TEAM_ID: teamId,
}: Pick<Env, 'PHONE_APP_ID' | 'APPLE_TEAM_ID'>) {
  if (appId === undefined || teamId === undefined) return null;
  const id = `${teamId}.${appId}`;
  return {
    applinks: {
      details: [{ appIDs: [id], components: phoneLinkPaths.map((path) => ({ '/': `${path}*` })) }],
    },
    webcredentials: { apps: [id] },
  };
}

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

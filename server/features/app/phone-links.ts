import { phoneLinkPaths } from '#contract/app/pages.ts';
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

/** The same for iOS, at `/.well-known/apple-app-site-association`. */
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

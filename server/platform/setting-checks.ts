import fs from 'node:fs';
import { troubleWithRoles, type RoleSettings } from './process-roles.ts';

/** The settings that depend on each other. */
export interface CheckedSettings extends RoleSettings {
  NODE_ENV: string;
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_MIGRATION_URL?: string | undefined;
  S3_URL?: string | undefined;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  BACKUP_TO?: string | undefined;
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET: readonly string[];
  STRIPE_PUBLISHABLE_KEY?: string | undefined;
  CANCEL_FREE_HOURS: number;
  CANCEL_LATE_HOURS: number;
  VAPID_PUBLIC_KEY?: string | undefined;
  VAPID_PRIVATE_KEY?: string | undefined;
  BREACHED_PASSWORDS?: string | undefined;
  PHONE_APP_ID?: string | undefined;
  ANDROID_CERTIFICATES: readonly string[];
  APPLE_TEAM_ID?: string | undefined;
  FCM_SERVICE_ACCOUNT?: object | undefined;
  APNS_KEY?: string | undefined;
  APNS_KEY_ID?: string | undefined;
}

interface SettingCheck {
  /** The settings that it compares: where one of them is wrong by itself, the check is left out. */
  of: readonly (keyof CheckedSettings)[];
  /** The trouble as `VARIABLE: what is missing`, or null. */
  trouble: (env: CheckedSettings) => string | null;
}

/** A check whose sentence is fixed. */
const check = (
  of: readonly (keyof CheckedSettings)[],
  isWrong: (env: CheckedSettings) => boolean,
  sentence: string,
): SettingCheck => ({ of, trouble: (env) => (isWrong(env) ? sentence : null) });

/** Whether the address of a database names a role. */
const namesRole = (address: string | undefined): boolean => (URL.parse(address ?? '')?.username ?? '') !== '';

/** The mode of a Stripe key: `sk_live_…` and `pk_live_…` belong together, and so do those of `test`. */
const modeOf = (key: string | undefined): string | null =>
  /^[a-z]+_(live|test)_/.exec(key ?? '')?.[1] ?? null;

const checks: readonly SettingCheck[] = [
  check(
    ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    (env) => env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET.length === 0,
    'STRIPE_WEBHOOK_SECRET: STRIPE_SECRET_KEY needs it beside it',
  ),
  check(
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
    (env) => env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_PUBLISHABLE_KEY === undefined,
    'STRIPE_PUBLISHABLE_KEY: STRIPE_SECRET_KEY needs it beside it',
  ),
  check(
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
    ({ STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable }) =>
      modeOf(secret) !== null && modeOf(publishable) !== null && modeOf(secret) !== modeOf(publishable),
    'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY: one is a live key and the other a test key; both must be of one mode',
  ),
  check(
    ['S3_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    (env) => env.S3_URL !== undefined && (env.S3_ACCESS_KEY_ID === '' || env.S3_SECRET_ACCESS_KEY === ''),
    'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: S3_URL needs them beside it',
  ),
  check(
    ['BACKUP_TO', 'S3_URL'],
    (env) => env.BACKUP_TO?.startsWith('s3://') === true && env.S3_URL === undefined,
    'BACKUP_TO: a bucket (s3://…) needs S3_URL, the address of its service',
  ),
  check(
    ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
    (env) => env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined,
    'DATABASE_DIRECT_URL: it leads past the pooler that DATABASE_URL leads through',
  ),
  check(
    ['DATABASE_MIGRATION_URL', 'DATABASE_URL'],
    (env) => env.DATABASE_MIGRATION_URL !== undefined && !namesRole(env.DATABASE_URL),
    'DATABASE_MIGRATION_URL: DATABASE_URL names the role beside it that reads and writes rows',
  ),
  check(
    ['CANCEL_LATE_HOURS', 'CANCEL_FREE_HOURS'],
    (env) => env.CANCEL_LATE_HOURS > env.CANCEL_FREE_HOURS,
    'CANCEL_LATE_HOURS: it is at most CANCEL_FREE_HOURS',
  ),
  check(
    ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
    (env) => (env.VAPID_PUBLIC_KEY === undefined) !== (env.VAPID_PRIVATE_KEY === undefined),
    'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: one needs the other beside it',
  ),
  check(
    ['PHONE_APP_ID', 'APPLE_TEAM_ID', 'FCM_SERVICE_ACCOUNT', 'ANDROID_CERTIFICATES'],
    (env) =>
      env.PHONE_APP_ID === undefined &&
      [env.APPLE_TEAM_ID, env.FCM_SERVICE_ACCOUNT, env.ANDROID_CERTIFICATES[0]].some(
        (each) => each !== undefined,
      ),
    'PHONE_APP_ID: ANDROID_CERTIFICATES, APPLE_TEAM_ID and FCM_SERVICE_ACCOUNT need it beside them',
  ),
  check(
    ['APNS_KEY', 'APNS_KEY_ID', 'APPLE_TEAM_ID'],
    (env) => {
      const given = [env.APNS_KEY, env.APNS_KEY_ID].filter((each) => each !== undefined).length;
      return given === 1 || (given === 2 && env.APPLE_TEAM_ID === undefined);
    },
    'APNS_KEY, APNS_KEY_ID and APPLE_TEAM_ID: one needs the others beside it',
  ),
  { of: ['BREACHED_PASSWORDS'], trouble: troubleWithBreachedPasswords },
  {
    of: ['ROLES', 'REGION', 'REDIS_URL', 'LIVE_ADAPTER', 'MATCHING_URLS', 'MATCHING_PORT', 'MATCHING_SECRET'],
    trouble: troubleWithRoles,
  },
];

/**
 * Compares settings that depend on each other.
 * @param isSound whether a setting is right by itself.
 * @returns each trouble as `VARIABLE: what is missing`.
 */
export function troublesBetween(env: CheckedSettings, isSound: (name: string) => boolean): string[] {
  return checks
    .filter(({ of }) => of.every(isSound))
    .map(({ trouble }) => trouble(env))
    .filter((each) => each !== null);
}

/** A missing or wrong list would refuse no password without any sign of it. */
function troubleWithBreachedPasswords({ BREACHED_PASSWORDS: file }: CheckedSettings): string | null {
  if (file === undefined) return null;
  let begins: string;
  try {
    const handle = fs.openSync(file, 'r');
    const piece = Buffer.alloc(100);
    begins = piece.toString('latin1', 0, fs.readSync(handle, piece));
    fs.closeSync(handle);
  } catch {
    return `BREACHED_PASSWORDS: ${file} cannot be read`;
  }
  return /^[0-9a-f]{10,40}(:\d+)?\r?\n/i.test(begins)
    ? null
    : `BREACHED_PASSWORDS: ${file} is no sorted list of SHA-1 hashes, one a line, 10 digits or more of each`;
}

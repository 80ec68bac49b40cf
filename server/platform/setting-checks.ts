import fs from 'node:fs';
import type { ShownSetting } from '#contract/admin/operations.ts';
import { troubleWithRoles, type RoleSettings } from './process-roles.ts';

/** The settings that depend on each other. */
interface CheckedSettings extends RoleSettings {
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

/**
 * The part of a setting that an admin may see: its value, an address without credentials, or only that it is
 * set.
 */
type Openness = 'open' | 'address' | 'secret';

/** A setting that is missing here does not compile. */
export type OpennessOf<Name extends string> = Readonly<Record<Name, Openness>>;

/** The source and value of a setting. */
export interface GivenSetting {
  /** The text that was given; null if none was. */
  given: string | null;
  source: ShownSetting['source'];
  /** The parsed value that the server uses. */
  value: unknown;
}

/** A setting as admins see it. */
export function shownSetting(
  name: string,
  openness: Openness,
  { given, source, value }: GivenSetting,
): ShownSetting {
  const isSecret = openness === 'secret';
  const written = given ?? textOf(value);
  if (written === null || isSecret) return { name, value: null, isSecret, source };
  return { name, value: openness === 'address' ? withoutSecrets(written) : written, isSecret, source };
}

/** A default as the text that would set it. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Set) return [...value].join(',');
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(',');
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An address without credentials; null if it cannot be parsed. */
function withoutSecrets(written: string): string | null {
  const address = URL.parse(written);
  if (address === null) return null;
  const { protocol, host, pathname, username } = address;
  return `${protocol}//${username === '' ? '' : '…@'}${host}${pathname}${address.search === '' ? '' : '?…'}`;
}

/** Names that start with one of these belong to this server; programs around it use no such name. */
const families = [
  'ADVISED',
  'APNS',
  'BACKUP',
  'CANCEL',
  'DATABASE',
  'FCM',
  'MATCHING',
  'METRICS',
  'OIDC',
  'S3',
  'SEAL',
  'SMS',
  'SMTP',
  'STRIKE',
  'STRIPE',
  'VAPID',
];

/** Container platforms add such names for each neighboring service: `SMTP_PORT_25_TCP_ADDR`. */
const ofPlatform = /_SERVICE_(HOST|PORT)|_PORT$|_(TCP|UDP)(_|$)/;

/**
 * Finds environment variables that look like misspelt settings.
 * @param names the variables that are set.
 * @param known the names of all settings; `NAME_FILE` is one of them for each `NAME`.
 * @returns one sentence for each, with the nearest setting.
 */
export function unknownSettings(names: readonly string[], known: readonly string[]): string[] {
  const all = known.flatMap((name) => [name, `${name}_FILE`]);
  return names
    .filter((name) => !all.includes(name) && !ofPlatform.test(name))
    .flatMap((name) => {
      const nearest = nearestOf(name, all);
      const isOurs = families.includes(name.split('_', 1)[0]!) || nearest.edits <= editsOfTypo(name);
      return isOurs ? [`${name} is no setting of Sameway; did you mean ${nearest.name}?`] : [];
    });
}

/** Short names differ from common variables by little: `HOST` and `TERM` are both real. */
const editsOfTypo = (name: string): number => (name.length < 5 ? 0 : name.length < 9 ? 1 : 2);

function nearestOf(name: string, known: readonly string[]): { name: string; edits: number } {
  return known
    .map((each) => ({ name: each, edits: editsBetween(name, each) }))
    .reduce((best, each) => (each.edits < best.edits ? each : best));
}

/**
 * Counts insertions, deletions, substitutions and swaps of neighbors that turn one text into the other
 * (optimal string alignment distance).
 */
function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        isSwap ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows[a.length]![b.length]!;
}

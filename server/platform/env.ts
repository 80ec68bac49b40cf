import fs from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import {
  shownSetting,
  type GivenSetting,
  type OpennessOf,
  troublesBetween,
  unknownSettings,
} from './setting-checks.ts';
import { parseMatchingUrls, parseRoles } from './process-roles.ts';

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'])
    .default(fallback)
    .transform((value) => value === '1');

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('this is no JSON');
    return z.NEVER;
  }
}

const webAddress = (example: string) =>
  z.url({ protocol: /^https?$/, error: `expected an address of the web, as in ${example}` });

const whole = (least: number, most?: number) => {
  const error = `expected a whole number from ${least}${most === undefined ? '' : ` to ${most}`}`;
  const any = z.coerce.number({ error }).int({ error }).min(least, { error });
  return most === undefined ? any : any.max(most, { error });
};

/** A number that may have a fraction. */
const number = (least: number, most?: number) => {
  const error = `expected a number from ${least}${most === undefined ? '' : ` to ${most}`}`;
  const any = z.coerce.number({ error }).min(least, { error });
  return most === undefined ? any : any.max(most, { error });
};

/** The items of a comma-separated list, without empty ones. */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** An address, or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** The address or the name of a machine. */
const isHost = (text: string): boolean =>
  isIP(text) > 0 || (/^[a-z\d-]+(\.[a-z\d-]+)*$/i.test(text) && !/^[\d.]+$/.test(text));

const oidcProvider = z.object({
  /** A short word that never changes, for example `google`. */
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** Its name for people. */
  name: z.string().min(1).max(60),
  issuer: z.url(),
  clientId: z.string().min(1),
  /** Empty for a public client; PKCE is always used. */
  clientSecret: z.string().default(''),
  scope: z.string().default('openid email profile'),
  /** The claim with a person's groups, such as `groups`. Empty: the server does not read groups. */
  groupsClaim: z.string().max(200).default(''),
  /** The client ids of the phone apps at the provider: their id_tokens are accepted, too. */
  phoneClientIds: z.array(z.string().min(1)).default([]),
});

/** The key of a service account, as Firebase's console exports it; it has further fields. */
const serviceAccount = z.object({
  project_id: z.string().regex(/^[a-z0-9:.-]+$/),
  client_email: z.email(),
  private_key: z.string().includes('PRIVATE KEY'),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
});

const databaseAddress = z
  .string()
  // As the driver parses it: the host may be missing, or be the path of a socket.
  .regex(
    /^(postgres(ql)?:\/\/|socket:)\S+$/,
    'expected the address of a PostgreSQL server, as in postgres://user:password@localhost:5432/sameway',
  );

const schema = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'], {
      error: 'expected production for real use, or development, or test',
    })
    .default('development'),
  PORT: whole(0, 65535).default(3020),
  /**
   * The proxies in front, so that rate limits use the clients' addresses: their number, or their addresses
   * and networks, comma separated. In `x-forwarded-for`, what a client writes itself comes before what the
   * nearest proxy adds.
   */
  TRUST_PROXY: z
    .string()
    .default('0')
    .transform((text, context): number | string[] => {
      const typed = text.trim();
      if (/^\d{1,2}$/.test(typed)) return Number(typed);
      const list = typed.split(',').map((each) => each.trim());
      if (list.every(isNetwork)) return list;
      context.addIssue('expected a number of proxies, or their addresses: 1, or 10.0.0.0/8,192.168.1.7');
      return z.NEVER;
    }),
  HOST: z
    .string()
    .refine(isHost, 'expected an address of this machine, as in 127.0.0.1 or 0.0.0.0, or its name')
    .default('127.0.0.1'),
  /** The folder of the embedded database, caches and files. */
  DATA_DIR: z.string().optional(),
  /** A PostgreSQL 15 or newer; by default the embedded one. */
  DATABASE_URL: databaseAddress.optional(),
  /**
   * The same database without the pooler (PgBouncer in transaction mode) of `DATABASE_URL`: for LISTEN,
   * locks, migrations and prepared statements.
   */
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  /**
   * The same database as the role that owns its tables, without a pooler: only migrations and backups use it.
   * The role of `DATABASE_URL` then only reads and writes rows; the server creates it if it is missing.
   */
  DATABASE_MIGRATION_URL: databaseAddress.optional(),
  /** A standby for reads that may be a few seconds old. */
  DATABASE_REPLICA_URL: databaseAddress.optional(),
  /**
   * The connections that the calls of one process share; LISTEN and the job queue have a few of their own.
   */
  DATABASE_POOL_SIZE: whole(1, 1000).default(12),
  /**
   * How long a statement may wait for a lock and may run, a transaction may stay idle, and a call waits for a
   * connection; 0 is no limit.
   */
  DATABASE_LOCK_TIMEOUT_MS: whole(0).default(5000),
  DATABASE_STATEMENT_TIMEOUT_MS: whole(0).default(30_000),
  DATABASE_IDLE_TIMEOUT_MS: whole(0).default(30_000),
  DATABASE_CONNECT_TIMEOUT_MS: whole(0).default(10_000),
  /** How long the start waits for a database that is starting or recovering. */
  DATABASE_WAIT_SECONDS: whole(0, 3600).default(60),
  /**
   * `postgres` if several processes share one database, so that realtime messages reach people connected to
   * other processes.
   */
  LIVE_ADAPTER: z.enum(['memory', 'postgres']).default('memory'),
  /** A Redis or Valkey through which processes exchange realtime messages, instead of the database. */
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'expected a Redis server, as in redis://localhost:6379' })
    .optional(),
  /** The roles of this process; other processes on the same database do the rest. */
  ROLES: z
    .string()
    .default('web,worker,matching')
    .transform((list, context) => {
      const roles = parseRoles(list);
      if (roles !== null) return roles;
      context.addIssue('expected roles of a process, separated by commas: web, worker, matching');
      return z.NEVER;
    }),
  /** Matching processes that answer searches, instead of a thread of this process. */
  MATCHING_URLS: z
    .string()
    .transform((list, context) => {
      const groups = parseMatchingUrls(list);
      if (groups !== null) return groups;
      context.addIssue(
        'expected addresses of matching processes: http://10.0.0.5:3030,http://10.0.0.6:3030, or region=… for each region, separated by semicolons',
      );
      return z.NEVER;
    })
    .optional(),
  /** The port where this process answers the searches of other processes. */
  MATCHING_PORT: whole(0, 65535).optional(),
  /** The secret that processes need to call matching processes. */
  MATCHING_SECRET: z.string().min(16, 'expected at least 16 characters').optional(),
  /** How many threads of this process answer searches; each holds the open orders once more. */
  MATCHING_THREADS: whole(1, 64).default(1),
  /** The regions of REGION whose open orders this process holds; empty for all. */
  MATCHING_REGIONS: z.string().default('').transform(listed),
  /**
   * A bucket in S3 or a compatible service, with a path-style address: `https://host/bucket`; by default
   * files are below `DATA_DIR`.
   */
  S3_URL: webAddress('https://s3.example.com/bucket').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  DEMO: flag('0'),
  /** Names of region packs, comma separated; empty loads none. */
  REGION: z
    .string()
    .regex(/^([a-z0-9-]+(\s*,\s*[a-z0-9-]+)*)?$/, 'expected names of region packs, separated by commas')
    .default('state-college'),
  /** The address of a hosted map style, which browsers try first. */
  TILES_URL: webAddress('https://tiles.example.com/style.json').optional(),
  /** A hosted geocoder's search: an address that ends in `/api` (Photon) or `/search` (Nominatim). */
  GEOCODER_URL: z
    .url()
    .refine(
      (url) => /\/(api|search)\/?(\?.*)?$/.test(url),
      'it must end in /api (Photon) or /search (Nominatim)',
    )
    .optional(),
  /** The address people open, used in links; the default is the one this process listens on. */
  PUBLIC_URL: webAddress('https://ride.example.com')
    .refine(
      (url) => /^\/*$/.test(URL.parse(url)?.pathname ?? ''),
      'it has no path: people open the app at its root',
    )
    .optional(),
  /** smtp://user:password@host:port; by default emails go to the demo inbox. */
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'expected a mail server, as in smtp://user:password@mail.example.com:587',
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'expected the address of a sender, as in Sameway <no-reply@example.com>',
    )
    .default('Sameway <no-reply@sameway.example>'),
  /** The server posts text messages there as JSON `{to, text}`; by default they go to the demo inbox. */
  SMS_URL: webAddress('https://sms.example.com/send').optional(),
  /**
   * Secrets that encrypt the keys of authenticator apps, comma separated: the first encrypts, all of them
   * decrypt. By default the key is in the database.
   */
  SEAL_KEYS: z
    .string()
    .default('')
    .transform(listed)
    .pipe(z.array(z.string().min(16, 'expected at least 16 characters each'))),
  /**
   * VAPID keys for push messages (`npx web-push generate-vapid-keys`); without them a pair is made and stored
   * in the database.
   */
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, 'expected 65 bytes in base64url')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'expected 32 bytes in base64url')
    .optional(),
  /** Hosts of push services that browsers may use, comma separated; `*.` matches any subdomain. */
  PUSH_SERVICES: z
    .string()
    .default('fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com')
    .transform((list) => listed(list.toLowerCase())),
  /** The package of the Android app and the bundle of the iOS app, as in `com.example.sameway`. */
  PHONE_APP_ID: z
    .string()
    .regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/, 'expected an app’s name, as in com.example.sameway')
    .optional(),
  /**
   * SHA-256 fingerprints of the certificates that sign the Android app, comma separated: links of this
   * installation open in it.
   */
  ANDROID_CERTIFICATES: z
    .string()
    .default('')
    .transform((list) => listed(list.toUpperCase()))
    .pipe(
      z.array(
        z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/, 'expected 32 bytes in hexadecimal: AB:CD:…'),
      ),
    ),
  /** The team of the iOS app: links of this installation open in it, and its push messages are signed. */
  APPLE_TEAM_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'expected ten capital letters and digits')
    .optional(),
  /** The key of a service account that may send through Firebase Cloud Messaging: its JSON. */
  FCM_SERVICE_ACCOUNT: z.string().transform(parseJson).pipe(serviceAccount).optional(),
  FCM_URL: webAddress('https://fcm.googleapis.com').default('https://fcm.googleapis.com'),
  /** The text of the `.p8` file that signs push messages to iOS; `\n` may stand for its line breaks. */
  APNS_KEY: z
    .string()
    .includes('PRIVATE KEY', { error: 'expected the text of a .p8 file' })
    .transform((text) => text.replaceAll('\\n', '\n'))
    .optional(),
  APNS_KEY_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'expected ten capital letters and digits')
    .optional(),
  /** `https://api.sandbox.push.apple.com` for apps installed by Xcode. */
  APNS_URL: webAddress('https://api.push.apple.com').default('https://api.push.apple.com'),
  /** Sign-in providers: a JSON list of `{id, name, issuer, clientId, clientSecret, scope}`. */
  OIDC_PROVIDERS: z
    .string()
    .default('[]')
    .transform(parseJson)
    .pipe(z.array(oidcProvider))
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'every id must be another one'),
  /** `sk_test_…` or `sk_live_…` of a Stripe account with Connect; by default the sandbox with test money. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'expected a secret key of Stripe: sk_…')
    .optional(),
  /**
   * `whsec_…` of the webhook endpoints registered at Stripe, comma separated: its own events and those of
   * drivers.
   */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .default('')
    .transform(listed)
    .pipe(z.array(z.string().regex(/^whsec_/, 'expected signing secrets of Stripe: whsec_…'))),
  /** Whether HSTS includes the subdomains of `PUBLIC_URL`. */
  HSTS_SUBDOMAINS: flag('1'),
  /**
   * Where people report vulnerabilities of this installation (`/.well-known/security.txt`): addresses of
   * email, web or telephone.
   */
  SECURITY_CONTACT: z
    .string()
    .default('')
    .transform(listed)
    .transform((contacts) => contacts.map((each) => (/^[^:/]+@/.test(each) ? `mailto:${each}` : each)))
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/,
            'expected addresses, as in security@example.com or https://example.com/report',
          ),
      ),
    ),
  /** The day on which security.txt expires. */
  SECURITY_EXPIRES: z.iso.date('expected a day, as in 2027-06-30').optional(),
  /** The address of the policy for vulnerability reports. */
  SECURITY_POLICY: z.url({ protocol: /^https$/, error: 'expected an address by https' }).optional(),
  /**
   * A sorted file of hashes of breached passwords in the format of Have I Been Pwned, in addition to the
   * built-in list.
   */
  BREACHED_PASSWORDS: z.string().optional(),
  /** The domains that may sign up, comma separated; empty for all. */
  ALLOWED_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform((list) => listed(list.toLowerCase()))
    .pipe(
      z.array(
        z.string().regex(/^[a-z\d-]+(\.[a-z\d-]+)+$/, 'expected domains, as in example.com,example.org'),
      ),
    ),
  ADVISED_CENTS_PER_MILE: number(0).default(21),
  /** A driver who cancels this close to departure, after a passenger has joined, gets a strike. */
  STRIKE_WITHIN_HOURS: whole(0).default(24),
  /** For how many months a strike counts. */
  STRIKE_MONTHS: whole(1).default(6),
  /** The number of strikes for a review by admins, and for a suspension. */
  STRIKES_FOR_REVIEW: whole(1).default(2),
  STRIKES_FOR_SUSPENSION: whole(1).default(3),
  /** The `pk_…` of the same account, for the card form in the browser. */
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'expected a publishable key of Stripe: pk_…').optional(),
  /** The service fee on charges, in hundredths of a percent. */
  SERVICE_FEE_BASIS_POINTS: whole(0, 9000).default(1000),
  /** The card provider's fee: a share of the amount, and a fixed amount in cents. */
  CARD_FEE_BASIS_POINTS: whole(0, 1000).default(290),
  CARD_FEE_CENTS: whole(0, 1000).default(30),
  /** How many days before departure a hold is placed; card networks keep one for about seven. */
  HOLD_DAYS: whole(1, 5).default(3),
  /** How long a seat stays reserved while its passenger arranges the payment. */
  PAYMENT_WAIT_MINUTES: whole(1, 1440).default(120),
  /**
   * Canceling earlier than the first costs nothing; later than the second, the late share; in between, the
   * middle share.
   */
  CANCEL_FREE_HOURS: number(0).default(24),
  CANCEL_LATE_HOURS: number(0).default(2),
  CANCEL_MID_PERCENT: whole(0, 100).default(50),
  CANCEL_LATE_PERCENT: whole(0, 100).default(100),
  /** Canceling this soon after joining also costs nothing, before the late hours begin. */
  CANCEL_GRACE_MINUTES: number(0).default(0),
  /** How long a charge, made or planned, can be disputed. */
  DISPUTE_HOURS: number(0, 48).default(24),
  /** The most calls a second that one process makes to Stripe for holds. */
  CARD_CALLS_PER_SECOND: whole(1).default(20),
  MAX_TRANSACTION_CENTS: whole(0).default(500_00),
  /**
   * Discover shows routes that at least this many people travel; with fewer, one person could be recognized.
   */
  DISCOVER_FEWEST_PEOPLE: whole(2).default(3),
  /** How long a free seat stays reserved for the first person on the waitlist. */
  WAITLIST_OFFER_MINUTES: whole(1, 1440).default(30),
  /** The bearer token for `/metrics`; without it, `/metrics` does not exist. */
  METRICS_TOKEN: z.string().min(16, 'expected at least 16 characters').optional(),
  /** The destination of backups: a folder, or `s3://bucket/prefix`; without it, there are none. */
  BACKUP_TO: z
    .string()
    .regex(/^(\/|\.{1,2}\/|s3:\/\/.)/, 'expected a folder (/srv/backups) or s3://bucket/prefix')
    .optional(),
  /** The secret that encrypts backups; a restore needs it. */
  BACKUP_KEY: z.string().min(16, 'expected at least 16 characters').optional(),
  BACKUP_EVERY_HOURS: whole(1, 720).default(24),
  /** How many backups to retain, with the embedded database's log since the oldest of them. */
  BACKUP_KEEP: whole(1, 1000).default(7),
  /** For the embedded database: after this time a commit can be restored from the backups alone. */
  BACKUP_LOG_SECONDS: whole(5, 3600).default(60),
  /** Whether webhooks may use addresses of this machine, over http too: for programs on the same host. */
  WEBHOOKS_TO_LOOPBACK: flag('0'),
  /** The server logs slower statements with the id of their request; 0 logs none. */
  DATABASE_SLOW_MS: whole(0).default(1000),
  /** The collector for traces, by OTLP over HTTP: its address without `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress('http://localhost:4318').optional(),
  /** Headers for the collector, as in `authorization=Bearer …,tenant=town`. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((list, context): Record<string, string> => {
      const pairs = listed(list).map((each) => [
        each.split('=', 1)[0]!.trim(),
        each.slice(each.indexOf('=') + 1).trim(),
      ]);
      if (pairs.every(([name = '', value = '']) => /^[\w-]+$/.test(name) && value !== ''))
        return Object.fromEntries(pairs) as Record<string, string>;
      context.addIssue('expected headers: authorization=Bearer …,tenant=town');
      return z.NEVER;
    }),
  OTEL_SERVICE_NAME: z.string().min(1).default('sameway'),
  /**
   * The share of calls that is traced, from 0 to 1; a call that is already part of a trace follows that
   * trace's decision.
   */
  OTEL_TRACES_SAMPLER_ARG: number(0, 1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
});

/** The part of each that the admin area shows. */
const openness: OpennessOf<keyof typeof schema.shape> = {
  NODE_ENV: 'open',
  PORT: 'open',
  TRUST_PROXY: 'open',
  HOST: 'open',
  DATA_DIR: 'open',
  DATABASE_URL: 'address',
  DATABASE_DIRECT_URL: 'address',
  DATABASE_MIGRATION_URL: 'address',
  DATABASE_REPLICA_URL: 'address',
  DATABASE_POOL_SIZE: 'open',
  DATABASE_LOCK_TIMEOUT_MS: 'open',
  DATABASE_STATEMENT_TIMEOUT_MS: 'open',
  DATABASE_IDLE_TIMEOUT_MS: 'open',
  DATABASE_CONNECT_TIMEOUT_MS: 'open',
  DATABASE_WAIT_SECONDS: 'open',
  LIVE_ADAPTER: 'open',
  REDIS_URL: 'address',
  ROLES: 'open',
  MATCHING_URLS: 'open',
  MATCHING_PORT: 'open',
  MATCHING_SECRET: 'secret',
  MATCHING_THREADS: 'open',
  MATCHING_REGIONS: 'open',
  S3_URL: 'address',
  S3_REGION: 'open',
  S3_ACCESS_KEY_ID: 'secret',
  S3_SECRET_ACCESS_KEY: 'secret',
  DEMO: 'open',
  REGION: 'open',
  TILES_URL: 'address',
  GEOCODER_URL: 'address',
  PUBLIC_URL: 'open',
  SMTP_URL: 'address',
  MAIL_FROM: 'open',
  SMS_URL: 'address',
  VAPID_PUBLIC_KEY: 'open',
  SEAL_KEYS: 'secret',
  VAPID_PRIVATE_KEY: 'secret',
  PUSH_SERVICES: 'open',
  PHONE_APP_ID: 'open',
  ANDROID_CERTIFICATES: 'open',
  APPLE_TEAM_ID: 'open',
  FCM_SERVICE_ACCOUNT: 'secret',
  FCM_URL: 'address',
  APNS_KEY: 'secret',
  APNS_KEY_ID: 'open',
  APNS_URL: 'address',
  OIDC_PROVIDERS: 'secret',
  STRIPE_SECRET_KEY: 'secret',
  STRIPE_WEBHOOK_SECRET: 'secret',
  HSTS_SUBDOMAINS: 'open',
  SECURITY_CONTACT: 'open',
  SECURITY_EXPIRES: 'open',
  SECURITY_POLICY: 'open',
  BREACHED_PASSWORDS: 'open',
  ALLOWED_EMAIL_DOMAINS: 'open',
  ADVISED_CENTS_PER_MILE: 'open',
  STRIKE_WITHIN_HOURS: 'open',
  STRIKE_MONTHS: 'open',
  STRIKES_FOR_REVIEW: 'open',
  STRIKES_FOR_SUSPENSION: 'open',
  STRIPE_PUBLISHABLE_KEY: 'open',
  SERVICE_FEE_BASIS_POINTS: 'open',
  CARD_FEE_BASIS_POINTS: 'open',
  CARD_FEE_CENTS: 'open',
  HOLD_DAYS: 'open',
  PAYMENT_WAIT_MINUTES: 'open',
  CANCEL_FREE_HOURS: 'open',
  CANCEL_LATE_HOURS: 'open',
  CANCEL_MID_PERCENT: 'open',
  CANCEL_LATE_PERCENT: 'open',
  CANCEL_GRACE_MINUTES: 'open',
  DISPUTE_HOURS: 'open',
  CARD_CALLS_PER_SECOND: 'open',
  MAX_TRANSACTION_CENTS: 'open',
  DISCOVER_FEWEST_PEOPLE: 'open',
  WAITLIST_OFFER_MINUTES: 'open',
  METRICS_TOKEN: 'secret',
  BACKUP_TO: 'open',
  BACKUP_KEY: 'secret',
  BACKUP_EVERY_HOURS: 'open',
  BACKUP_KEEP: 'open',
  BACKUP_LOG_SECONDS: 'open',
  WEBHOOKS_TO_LOOPBACK: 'open',
  DATABASE_SLOW_MS: 'open',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'address',
  OTEL_EXPORTER_OTLP_HEADERS: 'secret',
  OTEL_SERVICE_NAME: 'open',
  OTEL_TRACES_SAMPLER_ARG: 'open',
  LOG_LEVEL: 'open',
};

/** The names of all settings. */
export const settingNames: readonly (keyof typeof schema.shape)[] = schema.keyof().options;

export type Env = ReturnType<typeof readEnv>;

/**
 * Reads the configuration from environment variables.
 * @throws Error that names each wrong variable and what is wrong with it, all in one list.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const { env, troubles } = checkedSettings(source);
  if (env === null || troubles.length > 0) throw new Error(inOneList(troubles));
  const production = env.NODE_ENV === 'production';
  /** The demo community never exists in production. */
  const isDemo = env.DEMO && !production;
  const publicUrl = (env.PUBLIC_URL ?? `http://${hostPeopleOpen(env.HOST)}:${env.PORT}`).replace(/\/+$/, '');
  return {
    ...env,
    production,
    /** In production cards are taken by Stripe alone: test cards pay for no real ride. */
    takesCards: !production || env.STRIPE_SECRET_KEY !== undefined,
    /**
     * The address people open, without a slash at its end: in the start banner, in emails, and where other
     * sites lead back to.
     */
    publicUrl,
    DEMO: isDemo,
    /** Sentences for the person who starts the server: misspelt names, settings without effect. */
    warnings: [
      ...unknownSettings(Object.keys(source), settingNames),
      ...(production && env.DEMO ? ['DEMO=1 has no effect with NODE_ENV=production.'] : []),
    ],
    /** Other machines can reach the demo: what is published of it opens no admin's account. */
    isPublicDemo: isDemo && !(isLoopback(env.HOST) && isLoopback(new URL(publicUrl).hostname)),
    DATA_DIR: path.resolve(env.DATA_DIR ?? '.data'),
    /** Each setting as admins see it. */
    shown: settingNames.map((name) => shownSetting(name, openness[name], given(source, name, env[name]))),
  };
}

/**
 * Parses each setting by itself and compares those that depend on each other.
 * @returns `env` is null where a setting is wrong by itself.
 */
function checkedSettings(source: NodeJS.ProcessEnv) {
  const { read, troubles: ofFiles } = withFiles(source);
  // An empty variable is none, but for REGION, where it says that no region is wanted.
  const written = Object.fromEntries(
    Object.entries(read).filter(([name, value]) => value !== '' || name === 'REGION'),
  );
  const parsed = schema.safeParse(written);
  const issues = parsed.error?.issues ?? [];
  const wrong = new Set(issues.map(({ path: [name] }) => String(name)));
  const sound = Object.fromEntries(Object.entries(written).filter(([name]) => !wrong.has(name)));
  const between = troublesBetween(schema.parse(sound), (name) => !wrong.has(name));
  const ofValues = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return { env: parsed.data ?? null, troubles: [...ofFiles, ...ofValues, ...between] };
}

function inOneList(troubles: readonly string[]): string {
  return troubles.length === 1
    ? `The configuration is wrong. ${troubles[0]}`
    : ['The configuration is wrong:', ...troubles.map((each) => `  ${each}`)].join('\n');
}

function given(source: NodeJS.ProcessEnv, name: string, value: unknown): GivenSetting {
  const text = source[name] ?? '';
  if (text !== '') return { given: text, source: 'environment', value };
  return { given: null, source: (source[`${name}_FILE`] ?? '') === '' ? 'default' : 'file', value };
}

/**
 * Reads each setting given as a file (`NAME_FILE`), as container platforms provide secrets.
 * @returns `troubles` names each variable whose file cannot be read, or whose setting is given twice.
 */
function withFiles(source: NodeJS.ProcessEnv): { read: NodeJS.ProcessEnv; troubles: string[] } {
  const read = { ...source };
  const troubles: string[] = [];
  for (const name of settingNames) {
    const file = source[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (source[name] !== undefined && source[name] !== '')
      troubles.push(`${name}, ${name}_FILE: give one of them`);
    else
      try {
        // Editors end a file with a line break, which is not part of the secret.
        read[name] = fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      } catch {
        troubles.push(`${name}_FILE: ${file} cannot be read`);
      }
  }
  return { read, troubles };
}

/** Whether a host can be reached from this machine alone. An address of all networks is none of these. */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}

/** This machine is `localhost` to its own browser, whichever of its addresses the server listens on. */
function hostPeopleOpen(host: string): string {
  if (['0.0.0.0', '::', '::1', '127.0.0.1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

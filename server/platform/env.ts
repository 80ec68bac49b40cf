import fs from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { shownSetting, type GivenSetting, type OpennessOf } from './setting-list.ts';
import { parseMatchingUrls, parseRoles, troubleWithRoles } from './process-roles.ts';

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'])
    .default(fallback)
    .transform((value) => value === '1');

/** A web address. */
const webAddress = (example: string) =>
  z.url({ protocol: /^https?$/, error: `expected an address of the web, as in ${example}` });

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
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3020),
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
  HOST: z.string().default('127.0.0.1'),
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
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(1000).default(12),
  /**
   * How long a statement may wait for a lock and may run, a transaction may stay idle, and a call waits for a
   * connection; 0 is no limit.
   */
  DATABASE_LOCK_TIMEOUT_MS: z.coerce.number().int().min(0).default(5000),
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(0).default(30_000),
  DATABASE_IDLE_TIMEOUT_MS: z.coerce.number().int().min(0).default(30_000),
  DATABASE_CONNECT_TIMEOUT_MS: z.coerce.number().int().min(0).default(10_000),
  /** How long the start waits for a database that is starting or recovering. */
  DATABASE_WAIT_SECONDS: z.coerce.number().int().min(0).max(3600).default(60),
  /**
   * `postgres` if several processes share one database, so that realtime messages reach people connected to
   * other processes.
   */
  LIVE_ADAPTER: z.enum(['memory', 'postgres']).default('memory'),
  /** A Redis or Valkey through which processes exchange realtime messages, instead of the database. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  /** What this process does; other processes on the same database do the rest. */
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
  MATCHING_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** The secret that processes need to call matching processes. */
  MATCHING_SECRET: z.string().min(16, 'expected at least 16 characters').optional(),
  /** How many threads of this process answer searches; each holds the open orders once more. */
  MATCHING_THREADS: z.coerce.number().int().min(1).max(64).default(1),
  /** The regions of REGION whose open orders this process holds; empty for all. */
  MATCHING_REGIONS: z.string().default('').transform(listed),
  /**
   * A bucket in S3 or a compatible service, with a path-style address: `https://host/bucket`; by default
   * files are below `DATA_DIR`.
   */
  S3_URL: z.url({ protocol: /^https?$/ }).optional(),
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
  MAIL_FROM: z.string().default('Sameway <no-reply@sameway.example>'),
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
   * VAPID keys for push messages (`npx web-push generate-vapid-keys`); without them a pair is made and kept
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
  FCM_SERVICE_ACCOUNT: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('this is no JSON');
        return z.NEVER;
      }
    })
    .pipe(serviceAccount)
    .optional(),
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
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('this is no JSON');
        return z.NEVER;
      }
    })
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
    .transform((list) => listed(list.toLowerCase())),
  ADVISED_CENTS_PER_MILE: z.coerce.number().min(0).default(21),
  /** A driver who cancels this close to departure, after a passenger has joined, gets a strike. */
  STRIKE_WITHIN_HOURS: z.coerce.number().int().min(0).default(24),
  /** For how many months a strike counts. */
  STRIKE_MONTHS: z.coerce.number().int().min(1).default(6),
  /** The number of strikes for a review by admins, and for a suspension. */
  STRIKES_FOR_REVIEW: z.coerce.number().int().min(1).default(2),
  STRIKES_FOR_SUSPENSION: z.coerce.number().int().min(1).default(3),
  /** The `pk_…` of the same account, for the card form in the browser. */
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'expected a publishable key of Stripe: pk_…').optional(),
  /** The service fee on charges, in hundredths of a percent. */
  SERVICE_FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(9000).default(1000),
  /** The card provider's fee: a share of the amount, and a fixed amount in cents. */
  CARD_FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(1000).default(290),
  CARD_FEE_CENTS: z.coerce.number().int().min(0).max(1000).default(30),
  /** How many days before departure a hold is placed; card networks keep one for about seven. */
  HOLD_DAYS: z.coerce.number().int().min(1).max(5).default(3),
  /** How long a seat is kept while its passenger arranges the payment. */
  PAYMENT_WAIT_MINUTES: z.coerce.number().int().min(1).max(1440).default(120),
  /**
   * Canceling earlier than the first costs nothing; later than the second, the late share; in between, the
   * middle share.
   */
  CANCEL_FREE_HOURS: z.coerce.number().min(0).default(24),
  CANCEL_LATE_HOURS: z.coerce.number().min(0).default(2),
  CANCEL_MID_PERCENT: z.coerce.number().int().min(0).max(100).default(50),
  CANCEL_LATE_PERCENT: z.coerce.number().int().min(0).max(100).default(100),
  /** Canceling this soon after joining also costs nothing, before the late hours begin. */
  CANCEL_GRACE_MINUTES: z.coerce.number().min(0).default(0),
  /** How long a charge, made or planned, can be disputed. */
  DISPUTE_HOURS: z.coerce.number().min(0).max(48).default(24),
  /** The most calls a second that one process makes to Stripe for holds. */
  CARD_CALLS_PER_SECOND: z.coerce.number().int().min(1).default(20),
  MAX_TRANSACTION_CENTS: z.coerce.number().int().min(0).default(500_00),
  /**
   * Discover shows routes that at least this many people travel; with fewer, one person could be recognized.
   */
  DISCOVER_FEWEST_PEOPLE: z.coerce.number().int().min(2).default(3),
  /** How long a free seat is kept for the first person on the waitlist. */
  WAITLIST_OFFER_MINUTES: z.coerce.number().int().min(1).max(1440).default(30),
  /** The bearer token for `/metrics`; without it, `/metrics` does not exist. */
  METRICS_TOKEN: z.string().min(16, 'expected at least 16 characters').optional(),
  /** The destination of backups: a folder, or `s3://bucket/prefix`; without it, there are none. */
  BACKUP_TO: z
    .string()
    .regex(/^(\/|\.{1,2}\/|s3:\/\/.)/, 'expected a folder (/srv/backups) or s3://bucket/prefix')
    .optional(),
  /** The secret that encrypts backups; a restore needs it. */
  BACKUP_KEY: z.string().min(16, 'expected at least 16 characters').optional(),
  BACKUP_EVERY_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  /** How many backups are kept, with the embedded database's log since the oldest of them. */
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(7),
  /** For the embedded database: after this time a commit can be restored from the backups alone. */
  BACKUP_LOG_SECONDS: z.coerce.number().int().min(5).max(3600).default(60),
  /** Whether webhooks may use addresses of this machine, over http too: for programs beside the server. */
  WEBHOOKS_TO_LOOPBACK: flag('0'),
  /** The server logs slower statements with the id of their request; 0 logs none. */
  DATABASE_SLOW_MS: z.coerce.number().int().min(0).default(1000),
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
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
});

/** What the admin area shows of each. */
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

/** Whether the address of a database names a role. */
const namesRole = (address: string | undefined): boolean => (URL.parse(address ?? '')?.username ?? '') !== '';

/**
 * Reads the configuration from environment variables.
 * @throws Error that names the variable and what is wrong with it.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  // An empty variable is none, but for REGION, where it says that no region is wanted.
  const written = Object.fromEntries(
    Object.entries(withFiles(source)).filter(([name, value]) => value !== '' || name === 'REGION'),
  );
  const parsed = schema.safeParse(written);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is wrong. ${issues.join('; ')}`);
  }
  const env = parsed.data;
  if (env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET.length === 0)
    throw new Error(
      'The configuration is wrong. STRIPE_WEBHOOK_SECRET: STRIPE_SECRET_KEY needs it beside it',
    );
  if (env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_PUBLISHABLE_KEY === undefined)
    throw new Error(
      'The configuration is wrong. STRIPE_PUBLISHABLE_KEY: STRIPE_SECRET_KEY needs it beside it',
    );
  if (env.S3_URL !== undefined && (env.S3_ACCESS_KEY_ID === '' || env.S3_SECRET_ACCESS_KEY === ''))
    throw new Error(
      'The configuration is wrong. S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: S3_URL needs them beside it',
    );
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined)
    throw new Error(
      'The configuration is wrong. DATABASE_DIRECT_URL: it leads past the pooler that DATABASE_URL leads through',
    );
  if (env.DATABASE_MIGRATION_URL !== undefined && !namesRole(env.DATABASE_URL))
    throw new Error(
      'The configuration is wrong. DATABASE_MIGRATION_URL: DATABASE_URL names the role beside it that reads and writes rows',
    );
  if (env.CANCEL_LATE_HOURS > env.CANCEL_FREE_HOURS)
    throw new Error('The configuration is wrong. CANCEL_LATE_HOURS: it is at most CANCEL_FREE_HOURS');
  if ((env.VAPID_PUBLIC_KEY === undefined) !== (env.VAPID_PRIVATE_KEY === undefined))
    throw new Error(
      'The configuration is wrong. VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: one needs the other beside it',
    );
  checkBreachedPasswords(env);
  checkPhones(env);
  const roleTrouble = troubleWithRoles(env);
  if (roleTrouble !== null) throw new Error(`The configuration is wrong. ${roleTrouble}`);
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
    /** Other machines can reach the demo: what is published of it opens no admin's account. */
    isPublicDemo: isDemo && !(isLoopback(env.HOST) && isLoopback(new URL(publicUrl).hostname)),
    DATA_DIR: path.resolve(env.DATA_DIR ?? '.data'),
    /** Each setting as admins see it. */
    shown: settingNames.map((name) => shownSetting(name, openness[name], given(source, name, env[name]))),
  };
}

/** The source of a setting. */
function given(source: NodeJS.ProcessEnv, name: string, value: unknown): GivenSetting {
  const text = source[name] ?? '';
  if (text !== '') return { given: text, source: 'environment', value };
  return { given: null, source: (source[`${name}_FILE`] ?? '') === '' ? 'default' : 'file', value };
}

/**
 * Reads each setting given as a file (`NAME_FILE`), as container platforms provide secrets.
 * @throws Error that names the variable if its file cannot be read, or the setting is given twice
 */
function withFiles(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = { ...source };
  for (const name of settingNames) {
    const file = source[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (source[name] !== undefined && source[name] !== '')
      throw new Error(`The configuration is wrong. ${name}, ${name}_FILE: give one of them`);
    try {
      // Editors end a file with a line break, which is not part of the secret.
      read[name] = fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new Error(`The configuration is wrong. ${name}_FILE: ${file} cannot be read`, { cause: error });
    }
  }
  return read;
}

/** A missing or wrong list would refuse no password without any sign of it. */
function checkBreachedPasswords({ BREACHED_PASSWORDS: file }: z.output<typeof schema>): void {
  if (file === undefined) return;
  const trouble = 'The configuration is wrong. BREACHED_PASSWORDS:';
  let begins: string;
  try {
    const handle = fs.openSync(file, 'r');
    const piece = Buffer.alloc(100);
    begins = piece.toString('latin1', 0, fs.readSync(handle, piece));
    fs.closeSync(handle);
  } catch (error) {
    throw new Error(`${trouble} ${file} cannot be read`, { cause: error });
  }
  if (!/^[0-9a-f]{10,40}(:\d+)?\r?\n/i.test(begins))
    throw new Error(
      `${trouble} ${file} is no sorted list of SHA-1 hashes, one a line, 10 digits or more of each`,
    );
}

/** What the phone apps need comes together: with a part alone their links or messages would never arrive. */
function checkPhones(env: z.output<typeof schema>): void {
  const forPhones = [env.APPLE_TEAM_ID, env.FCM_SERVICE_ACCOUNT, env.ANDROID_CERTIFICATES[0]];
  if (env.PHONE_APP_ID === undefined && forPhones.some((each) => each !== undefined))
    throw new Error(
      'The configuration is wrong. PHONE_APP_ID: ANDROID_CERTIFICATES, APPLE_TEAM_ID and FCM_SERVICE_ACCOUNT need it beside them',
    );
  const forApple = [env.APNS_KEY, env.APNS_KEY_ID].filter((each) => each !== undefined);
  if (forApple.length === 1 || (forApple.length === 2 && env.APPLE_TEAM_ID === undefined))
    throw new Error(
      'The configuration is wrong. APNS_KEY, APNS_KEY_ID and APPLE_TEAM_ID: one needs the others beside it',
    );
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

import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'])
    .default(fallback)
    .transform((value) => value === '1');

const oidcProvider = z.object({
  /** A short word that never changes, for example `google`. */
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** As people know it. */
  name: z.string().min(1).max(60),
  issuer: z.url(),
  clientId: z.string().min(1),
  /** Empty for a public client; PKCE is used either way. */
  clientSecret: z.string().default(''),
  scope: z.string().default('openid email profile'),
});

const schema = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3020),
  /** 1 behind a proxy that sets `x-forwarded-for`, so that limits count the real addresses. */
  TRUST_PROXY: flag('0'),
  HOST: z.string().default('127.0.0.1'),
  /** Where the embedded database, caches and files live. */
  DATA_DIR: z.string().optional(),
  /** A real PostgreSQL 15 or newer; without it the embedded one serves. */
  DATABASE_URL: z.string().optional(),
  /** `postgres` where several processes serve one database, so that people hear what others said to another process. */
  LIVE_ADAPTER: z.enum(['memory', 'postgres']).default('memory'),
  /** A bucket of S3, or of what speaks as it does, by path: `https://host/bucket`; without it files lie below `DATA_DIR`. */
  S3_URL: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  DEMO: flag('0'),
  /** Names of region packs, comma separated; empty loads none. */
  REGION: z
    .string()
    .regex(/^([a-z0-9-]+(\s*,\s*[a-z0-9-]+)*)?$/, 'expected names of region packs, separated by commas')
    .default('santa-cruz'),
  /** Address of a hosted map style, tried first. */
  TILES_URL: z.string().optional(),
  /** A hosted geocoder's search: an address that ends in `/api` (Photon) or `/search` (Nominatim). */
  GEOCODER_URL: z
    .url()
    .refine(
      (url) => /\/(api|search)\/?(\?.*)?$/.test(url),
      'it must end in /api (Photon) or /search (Nominatim)',
    )
    .optional(),
  /** The address people open, used in links; the default is the one this process listens on. */
  PUBLIC_URL: z.string().optional(),
  /** smtp://user:password@host:port; without it letters go to the built-in outbox page. */
  SMTP_URL: z.string().optional(),
  MAIL_FROM: z.string().default('Sameway <no-reply@sameway.example>'),
  /** Where text messages are posted as JSON `{to, text}`; without it they go to the built-in outbox page. */
  SMS_URL: z.url().optional(),
  /** VAPID keys for push messages (`npx web-push generate-vapid-keys`); without them a pair is made and kept in the database. */
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, 'expected 65 bytes in base64url')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'expected 32 bytes in base64url')
    .optional(),
  /** Hosts of the push services that browsers may name, comma separated; `*.` stands for any name below. */
  PUSH_SERVICES: z
    .string()
    .default('fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter(Boolean),
    ),
  /** Outside providers people may sign in with: a JSON list of `{id, name, issuer, clientId, clientSecret, scope}`. */
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
  /** `sk_test_…` or `sk_live_…` of a Stripe account with Connect; without it the sandbox with test money serves. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'expected a secret key of Stripe: sk_…')
    .optional(),
  /** `whsec_…` of the webhook endpoints registered at Stripe, comma separated: its own events and those of drivers. */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((secret) => secret.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(/^whsec_/, 'expected signing secrets of Stripe: whsec_…'))),
  /** Comma separated; empty lets every domain sign up. */
  ALLOWED_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((domain) => domain.trim().toLowerCase())
        .filter(Boolean),
    ),
  ADVISED_CENTS_PER_MILE: z.coerce.number().min(0).default(21),
  /** A driver who cancels this close to the departure, with somebody joined, gets a strike. */
  STRIKE_WITHIN_HOURS: z.coerce.number().int().min(0).default(24),
  /** For so many months a strike counts. */
  STRIKE_MONTHS: z.coerce.number().int().min(1).default(6),
  /** So many strikes, and the admins look at it; so many, and the account is suspended. */
  STRIKES_FOR_REVIEW: z.coerce.number().int().min(1).default(2),
  STRIKES_FOR_SUSPENSION: z.coerce.number().int().min(1).default(3),
  /** `pk_…` that belongs to the secret key: the browser's form needs it. */
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'expected a publishable key of Stripe: pk_…').optional(),
  /** Kept of what is taken, in hundredths of a percent. */
  SERVICE_FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(9000).default(1000),
  /** What taking a card costs: a share of the amount, and so many cents each time. */
  CARD_FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(1000).default(290),
  CARD_FEE_CENTS: z.coerce.number().int().min(0).max(1000).default(30),
  /** A hold is placed so many days before departure; card networks let one stand for about seven. */
  HOLD_DAYS: z.coerce.number().int().min(1).max(5).default(3),
  /** How long a seat is kept while its passenger sees to the payment. */
  PAYMENT_WAIT_MINUTES: z.coerce.number().int().min(1).max(1440).default(120),
  /** Cancelling earlier than this costs nothing; later than the second the late share; in between the middle one. */
  CANCEL_FREE_HOURS: z.coerce.number().min(0).default(24),
  CANCEL_LATE_HOURS: z.coerce.number().min(0).default(2),
  CANCEL_MID_PERCENT: z.coerce.number().int().min(0).max(100).default(50),
  CANCEL_LATE_PERCENT: z.coerce.number().int().min(0).max(100).default(100),
  /** Cancelling so soon after joining costs nothing either, before the late hours begin. */
  CANCEL_GRACE_MINUTES: z.coerce.number().min(0).default(30),
  /** For so long what was taken, or will be, can be objected to. */
  DISPUTE_HOURS: z.coerce.number().min(0).max(48).default(24),
  MAX_TRANSACTION_CENTS: z.coerce.number().int().min(0).default(500_00),
  /** Ways that so many different people take are told to everybody; fewer would tell of somebody. */
  DISCOVER_FEWEST_PEOPLE: z.coerce.number().int().min(2).default(3),
  /** How long a seat that has become free is kept for the first on the waitlist. */
  WAITLIST_OFFER_MINUTES: z.coerce.number().int().min(1).max(1440).default(30),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
});

export type Env = ReturnType<typeof readEnv>;

/**
 * Reads the configuration from environment variables.
 * @throws Error that names the variable and what is wrong with it.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  // An empty variable is none, but for REGION, where it says that no region is wanted.
  const given = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => value !== '' || name === 'REGION'),
  );
  const parsed = schema.safeParse(given);
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
  if (env.CANCEL_LATE_HOURS > env.CANCEL_FREE_HOURS)
    throw new Error('The configuration is wrong. CANCEL_LATE_HOURS: it is at most CANCEL_FREE_HOURS');
  if ((env.VAPID_PUBLIC_KEY === undefined) !== (env.VAPID_PRIVATE_KEY === undefined))
    throw new Error(
      'The configuration is wrong. VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: one needs the other beside it',
    );
  const production = env.NODE_ENV === 'production';
  return {
    ...env,
    production,
    /** The address people open, without a slash at its end. */
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/+$/, ''),
    /** The demo community never exists in production. */
    DEMO: env.DEMO && !production,
    DATA_DIR: path.resolve(env.DATA_DIR ?? defaultDataDir()),
  };
}

/** The address people open, without a slash at the end. */
export const publicUrl = (env: Pick<Env, 'PUBLIC_URL' | 'PORT'>): string =>
  (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '');

// A server started by root runs PostgreSQL as another user, who cannot enter root's private home.
function defaultDataDir(): string {
  const here = path.resolve('.data');
  return process.getuid?.() === 0 && here.startsWith(`${os.homedir()}${path.sep}`)
    ? '/var/tmp/sameway'
    : here;
}

import { z } from 'zod';
import { defineEndpoint, hourSeconds, minuteSeconds, type RateLimit } from '../define.ts';
import { id, instant, oneLine, someOf } from '../units.ts';
import { sessionUser } from './endpoints.ts';

/** The most passkeys of one person, and the number of recovery codes. */
export const mostPasskeys = 10;
export const recoveryCodeCount = 10;

const done = z.object({});
const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);

/** The limit for changes of second factors: far more than a person makes. */
const changes: readonly RateLimit[] = [
  { countedAs: 'factors', per: 'caller', most: 60, withinSeconds: hourSeconds },
];
/** The limit for sign-ins with a second factor, for all accounts behind one address. */
const tries: readonly RateLimit[] = [
  { countedAs: 'login', per: 'network', most: 120, withinSeconds: 15 * minuteSeconds },
];

const passkeyName = oneLine(60).min(1, 'Please enter a name.');

/** The options for a browser's WebAuthn functions, as `@simplewebauthn/browser` defines them. */
const ceremony = z.object({
  challengeId: z.uuid(),
  options: z.looseObject({ challenge: z.string() }),
});

/** A new passkey, as the browser returns it. */
export const newPasskey = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export type NewPasskey = z.output<typeof newPasskey>;

/** A passkey's signature, as the browser returns it. */
export const passkeySignature = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});
export type PasskeySignature = z.output<typeof passkeySignature>;

/** One way to confirm the identity: a code (from an app, a recovery code, one by email), or a passkey. */
const factorProof = {
  /** Six digits from an authenticator app, or a recovery code; empty with a passkey. */
  code: z.string().trim().max(40).default(''),
  challengeId: z.uuid().nullable().default(null),
  passkey: passkeySignature.nullable().default(null),
};

/** The ways in which a person can confirm their identity. */
export const proofWays = ['password', 'totp', 'passkey', 'recovery', 'email'] as const;
export type ProofWay = (typeof proofWays)[number];

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether it is stored in more than one place, for example in a password manager. */
  isBackedUp: z.boolean(),
  createdAt: instant,
  usedAt: instant.nullable(),
});
export type Passkey = z.output<typeof passkey>;

export const secondFactor = z.object({
  /** When the authenticator app was turned on; null if it is off. */
  totpSince: instant.nullable(),
  passkeys: z.array(passkey).max(mostPasskeys),
  recoveryCodesLeft: z.number().int(),
  /** Whether the person's role needs one. */
  isRequired: z.boolean(),
  /** The host name that passkeys belong to; null if this installation's address has no domain name. */
  passkeysFor: z.string().nullable(),
});
export type SecondFactor = z.output<typeof secondFactor>;

/** Recovery codes; shown once, and empty if the person already has some. */
const freshCodes = z.array(z.string()).max(20);

export const readSecondFactor = defineEndpoint({
  method: 'GET',
  path: '/access/second-factor',
  who: 'user',
  summary: 'The person’s authenticator app, passkeys and recovery codes, without their secrets.',
  input: z.object({}),
  output: secondFactor,
  refusals: [],
});

export const beginTotp = defineEndpoint({
  method: 'POST',
  path: '/access/totp-begin',
  who: 'user',
  stepUp: true,
  summary:
    'Creates the secret for an authenticator app. It takes effect once the person enters a valid code.',
  limits: changes,
  input: z.object({}),
  output: z.object({
    /** In base32, for typing. */
    secret: z.string(),
    /** The content of the QR code. */
    uri: z.string(),
  }),
  refusals: ['factor.totpOn'],
});

export const confirmTotp = defineEndpoint({
  method: 'POST',
  path: '/access/totp-confirm',
  who: 'user',
  summary:
    'Turns the authenticator app on with a code from it. The first factor also returns recovery codes.',
  limits: changes,
  input: z.object({ code: z.string().trim().max(40) }),
  output: z.object({ recoveryCodes: freshCodes }),
  refusals: ['factor.wrong', 'factor.totpOn', 'factor.totpUnbegun'],
});

export const removeTotp = defineEndpoint({
  method: 'POST',
  path: '/access/totp-remove',
  who: 'user',
  stepUp: true,
  summary: 'Turns the authenticator app off.',
  limits: changes,
  input: z.object({}),
  output: done,
  refusals: ['factor.notFound'],
});

export const renewRecoveryCodes = defineEndpoint({
  method: 'POST',
  path: '/access/recovery-codes',
  who: 'user',
  stepUp: true,
  summary: 'Makes new recovery codes; the old ones stop working.',
  limits: changes,
  input: z.object({}),
  output: z.object({ recoveryCodes: freshCodes }),
  refusals: ['factor.notFound'],
});

export const beginPasskey = defineEndpoint({
  method: 'POST',
  path: '/access/passkey-begin',
  who: 'user',
  stepUp: true,
  summary: 'The options with which a browser creates a passkey.',
  limits: changes,
  input: z.object({}),
  output: ceremony,
  refusals: ['factor.noPasskeys', 'factor.tooMany'],
});

export const addPasskey = defineEndpoint({
  method: 'POST',
  path: '/access/passkey-add',
  who: 'user',
  summary: 'Saves the passkey that the browser created. The first factor also returns recovery codes.',
  limits: changes,
  input: z.object({ challengeId: z.uuid(), passkey: newPasskey, name: passkeyName }),
  output: z.object({ passkey, recoveryCodes: freshCodes }),
  refusals: ['factor.expired', 'factor.passkeyRefused', 'factor.passkeyKnown', 'factor.tooMany'],
});

export const renamePasskey = defineEndpoint({
  method: 'POST',
  path: '/access/passkey-rename',
  who: 'user',
  summary: 'Renames a passkey of the caller.',
  limits: changes,
  input: z.object({ id, name: passkeyName }),
  output: passkey,
  refusals: ['factor.notFound'],
});

export const removePasskey = defineEndpoint({
  method: 'POST',
  path: '/access/passkey-remove',
  who: 'user',
  stepUp: true,
  summary: 'Removes a passkey of the caller.',
  limits: changes,
  input: z.object({ id }),
  output: done,
  refusals: ['factor.notFound'],
});

export const passkeySignInOptions = defineEndpoint({
  method: 'POST',
  path: '/access/passkey-options',
  who: 'guest',
  summary: 'The options with which a browser signs in with a passkey.',
  limits: tries,
  input: z.object({}),
  output: ceremony,
  refusals: ['factor.noPasskeys'],
});

export const signInByPasskey = defineEndpoint({
  method: 'POST',
  path: '/access/passkey-login',
  who: 'guest',
  summary: 'Signs in with a passkey alone.',
  limits: tries,
  input: z.object({ challengeId: z.uuid(), passkey: passkeySignature }),
  output: sessionUser,
  refusals: ['factor.expired', 'factor.passkeyRefused', 'access.suspended'],
});

export const secondStepOptions = defineEndpoint({
  method: 'POST',
  path: '/access/second-step-options',
  who: 'guest',
  summary: 'The options with which a browser uses a passkey as the second step of a sign-in.',
  limits: tries,
  input: z.object({ ticket: z.string().min(1).max(100) }),
  output: ceremony,
  refusals: ['factor.expired', 'factor.noPasskeys'],
});

export const secondStep = defineEndpoint({
  method: 'POST',
  path: '/access/second-step',
  who: 'guest',
  summary: 'Finishes a sign-in that needs a second step (`access.secondStep`), with its ticket.',
  limits: tries,
  input: z.object({ ticket: z.string().min(1).max(100), ...factorProof }),
  output: sessionUser,
  refusals: [
    'factor.expired',
    'factor.wrong',
    'factor.wrongTooOften',
    'factor.passkeyRefused',
    'access.suspended',
  ],
});

export const proveOptions = defineEndpoint({
  method: 'POST',
  path: '/access/prove-options',
  who: 'user',
  summary: 'How the person can prove who they are for a call that wants it (`session.stepUp`).',
  limits: [{ per: 'caller', most: 120, withinSeconds: hourSeconds }],
  input: z.object({}),
  output: z.object({ ways: someOf(z.enum(proofWays)), ceremony: ceremony.nullable() }),
  refusals: [],
});

export const sendProofCode = defineEndpoint({
  method: 'POST',
  path: '/access/prove-code',
  who: 'user',
  summary: 'Emails a code to a person who has neither a password nor a second factor.',
  limits: changes,
  input: z.object({}),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: ['factor.otherWay'],
});

export const prove = defineEndpoint({
  method: 'POST',
  path: '/access/prove',
  who: 'user',
  summary:
    'Confirms the person’s identity for the next ten minutes of this session: with the second factor, or else the password, or else a code by email.',
  limits: [{ countedAs: 'prove', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({ password: z.string().max(200).default(''), ...factorProof }),
  output: z.object({ provedUntil: instant }),
  refusals: [
    'access.passwordWrong',
    'access.codeWrong',
    'access.codeExpired',
    'factor.expired',
    'factor.wrong',
    'factor.wrongTooOften',
    'factor.passkeyRefused',
    'factor.otherWay',
  ],
});

import { z } from 'zod';
import { email, newPassword } from '../access/endpoints.ts';
import { defineEndpoint, hourSeconds, type RateLimit } from '../define.ts';
import { mostOfOne, nameLine } from '../units.ts';

/** The secret in the link that the server prints at its first start. */
const token = z.string().min(1).max(100);

/** More tries than an operator needs, and far too few to guess a link. */
const setupLimit: RateLimit = {
  countedAs: 'setup',
  per: 'network',
  most: 120,
  withinSeconds: hourSeconds,
};
/** Keeps a person who has the link from flooding a mailbox. */
const mailLimit: RateLimit = {
  countedAs: 'setupMail',
  per: 'network',
  most: 10,
  withinSeconds: hourSeconds,
};

export const mailKinds = ['server', 'outbox', 'none'] as const;
export const cardKinds = ['live', 'test', 'sandbox', 'none'] as const;

export const readSetup = defineEndpoint({
  method: 'POST',
  path: '/setup/read',
  who: 'guest',
  summary: 'The configuration of a new installation, for the operator who has the setup link.',
  limits: [setupLimit],
  input: z.object({ token }),
  output: z.object({
    /** The address that people open, and whether it uses https. */
    publicUrl: z.string(),
    isSecure: z.boolean(),
    region: z.object({ title: z.string(), timeZone: z.string(), packs: z.array(z.string()).max(mostOfOne) }),
    mail: z.object({
      kind: z.enum(mailKinds),
      /** The mail server's name and port; empty for the built-in outbox and none. */
      host: z.string(),
      from: z.string(),
    }),
    cards: z.object({ kind: z.enum(cardKinds) }),
    /** Whether the installation makes backups, and whether it encrypts them. */
    backup: z.object({ isOn: z.boolean(), isSealed: z.boolean() }),
  }),
  refusals: ['setup.over'],
});

export const tryRegion = defineEndpoint({
  method: 'POST',
  path: '/setup/try-region',
  who: 'guest',
  summary: 'Tests the region pack: finds a place in it, and a route on its roads.',
  limits: [setupLimit],
  input: z.object({ token }),
  output: z.object({
    /** `none`: no region is loaded, and travel times are estimates. */
    outcome: z.enum(['read', 'none', 'noPlaces', 'noRoute']),
    places: z.number().int(),
    /** A place that was found, and the drive time from the region's center to it. */
    place: z.string(),
    minutes: z.number().nullable(),
    hasMap: z.boolean(),
  }),
  refusals: ['setup.over'],
});

export const tryMail = defineEndpoint({
  method: 'POST',
  path: '/setup/try-mail',
  who: 'guest',
  summary: 'Sends a test email through the mail server and returns the result.',
  limits: [setupLimit, mailLimit],
  input: z.object({ token, to: email, language: z.enum(['en', 'zh']).default('en') }),
  output: z.object({
    /** `kept`: the email is in the demo inbox. `late`: the mail server did not answer in time. */
    outcome: z.enum([
      'sent',
      'kept',
      'none',
      'unknownHost',
      'unreachable',
      'late',
      'certificate',
      'login',
      'sender',
      'recipient',
      'other',
    ]),
    /** The mail server's own answer; empty if there was none. */
    said: z.string(),
  }),
  refusals: ['setup.over'],
});

export const tryCards = defineEndpoint({
  method: 'POST',
  path: '/setup/try-cards',
  who: 'guest',
  summary: 'Tests the card provider’s key by reading its account.',
  limits: [setupLimit],
  input: z.object({ token }),
  output: z.object({
    /** `incomplete`: the account cannot accept payments yet. */
    outcome: z.enum(['ready', 'none', 'key', 'permission', 'unreachable', 'incomplete', 'other']),
    /** The account's id and name at the provider. */
    account: z.string(),
    name: z.string(),
    /** The provider's own error message; empty if there was none. */
    said: z.string(),
  }),
  refusals: ['setup.over'],
});

export const makeOwner = defineEndpoint({
  method: 'POST',
  path: '/setup/make-owner',
  who: 'guest',
  summary: 'Creates the account of the owner, the first on the team. The setup link stops working.',
  limits: [setupLimit],
  input: z.object({
    token,
    name: nameLine(60, 'Please enter your name.'),
    email,
    password: newPassword,
    language: z.enum(['en', 'zh']).default('en'),
  }),
  output: z.object({}),
  refusals: ['setup.over', 'access.emailTaken', 'access.passwordCommon', 'access.passwordBreached'],
});

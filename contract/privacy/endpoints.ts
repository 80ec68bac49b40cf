import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { instant } from '../units.ts';

export const phoneReaders = ['nobody', 'joined', 'contacts'] as const;
/** An account goes so many days after its owner asked: early enough that it has always gone within 30. */
export const deletionDays = 14;

/** Which version of the legal documents holds; a new one is agreed to anew. */
export const legalVersion = '2026-11-23.1';
export const legalDocuments = ['terms', 'privacy', 'optin'] as const;

export const privacyChoices = z.object({
  /** Who knows the whole e-mail, the whole number, or types the name, finds this person. */
  foundByEmail: z.boolean(),
  foundByPhone: z.boolean(),
  foundByName: z.boolean(),
  /** Who reads the phone number: nobody, those on the same ride, or contacts besides them. */
  phoneSeenBy: z.enum(phoneReaders),
});
export type PrivacyChoices = z.output<typeof privacyChoices>;

export const readPrivacy = defineEndpoint({
  method: 'GET',
  path: '/user/privacy',
  who: 'user',
  summary:
    'Who may find the person and read their phone number, what they agreed to, and a deletion under way.',
  input: z.object({}),
  output: privacyChoices.extend({
    /** The latest word on each document. */
    consents: z.array(
      z.object({ document: z.enum(legalDocuments), version: z.string(), given: z.boolean(), at: instant }),
    ),
    /** When the account will be deleted, once the person has asked for it. */
    deletionDueAt: instant.nullable(),
    /** Whether deleting asks for a password: people from an outside provider may have none. */
    hasPassword: z.boolean(),
  }),
  refusals: [],
});

export const savePrivacy = defineEndpoint({
  method: 'POST',
  path: '/user/save-privacy',
  who: 'user',
  summary: 'Saves who may find the person and read their phone number.',
  input: privacyChoices,
  output: privacyChoices,
  refusals: [],
});

export const exportData = defineEndpoint({
  method: 'GET',
  path: '/user/export',
  who: 'user',
  summary:
    'Everything about the person as one ZIP archive of JSON and pictures, in base64; a few times an hour.',
  limits: [{ countedAs: 'export', per: 'caller', most: 5, withinSeconds: hourSeconds }],
  input: z.object({}),
  output: z.object({ fileName: z.string(), zipBase64: z.string(), bytes: z.number().int() }),
  refusals: [],
});

export const deleteAccount = defineEndpoint({
  method: 'POST',
  path: '/user/delete-account',
  who: 'user',
  summary: `Asks for deletion: open orders are cancelled by the rules now, the account goes in ${deletionDays} days unless that is undone.`,
  input: z.object({ password: z.string().max(200).default('') }),
  output: z.object({ deletionDueAt: instant, cancelledOrders: z.number().int() }),
  refusals: ['privacy.passwordWrong', 'privacy.rideUnderWay', 'privacy.feeDue'],
});

export const cancelDelete = defineEndpoint({
  method: 'POST',
  path: '/user/cancel-delete',
  who: 'user',
  summary: 'Keeps the account after all.',
  input: z.object({}),
  output: z.object({}),
  refusals: [],
});

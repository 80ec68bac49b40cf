import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { cents, instant, mostOfOne } from '../units.ts';

export const phoneReaders = ['nobody', 'joined', 'contacts'] as const;
/** How long after the request an account is deleted: early enough that it is always gone within 30 days. */
export const deletionDays = 14;

/** The current version of the legal documents; a new one needs new consent. */
export const legalVersion = '2026-11-28.1';
export const legalDocuments = ['terms', 'privacy', 'optin'] as const;

export const privacyChoices = z.object({
  /** Whether a person who enters the whole email, the whole number, or the name, finds this one. */
  foundByEmail: z.boolean(),
  foundByPhone: z.boolean(),
  foundByName: z.boolean(),
  /** The phone number is shown to no one, to people on the same ride, or to contacts as well. */
  phoneSeenBy: z.enum(phoneReaders),
});
export type PrivacyChoices = z.output<typeof privacyChoices>;

export const readPrivacy = defineEndpoint({
  method: 'GET',
  path: '/user/privacy',
  who: 'user',
  summary:
    'Who may find the person and see their phone number, what the person agreed to, and a pending deletion.',
  input: z.object({}),
  output: privacyChoices.extend({
    /** The latest consent to each document. */
    consents: z
      .array(
        z.object({ document: z.enum(legalDocuments), version: z.string(), given: z.boolean(), at: instant }),
      )
      .max(legalDocuments.length),
    /** When the account will be deleted, once its owner has asked for it. */
    deletionDueAt: instant.nullable(),
    /** Whether deleting asks for a password: people with an OAuth sign-in may have none. */
    hasPassword: z.boolean(),
  }),
  refusals: [],
});

export const savePrivacy = defineEndpoint({
  method: 'POST',
  path: '/user/save-privacy',
  who: 'user',
  summary: 'Saves who may find the person and see their phone number.',
  input: privacyChoices,
  output: privacyChoices,
  refusals: [],
});

const leavingOrder = z.object({
  id: z.string(),
  orderNumber: z.string(),
  role: z.enum(['driver', 'passenger']),
  from: z.string(),
  to: z.string(),
  /** The departure of a ride, or the earliest of a request. */
  at: instant,
  timeZone: z.string(),
  /** The number of people who have joined and would be notified. */
  joined: z.number().int(),
  /** True if it can be canceled now. */
  may: z.boolean(),
  /** The fee for canceling it now. */
  feeCents: cents,
  /** True if canceling it counts as a strike. */
  strike: z.boolean(),
});

/** The orders that leaving would cancel, and the obstacles to leaving. */
const leaving = z.object({
  /** The open rides and requests that would be canceled. */
  orders: z.array(leavingOrder).max(mostOfOne),
  /** The debt that could not be charged. */
  owedCents: cents,
  /** Disputes as a passenger or a driver that are not decided. */
  openDisputes: z.number().int(),
  /** Refunds to the person that have not arrived. */
  openRefunds: z.number().int(),
});
export type Leaving = z.output<typeof leaving>;

export const deletePreview = defineEndpoint({
  method: 'GET',
  path: '/user/delete-preview',
  who: 'user',
  summary:
    'A preview of deleting the account: the rides and requests it would cancel, with fees and strikes, and what must be settled first.',
  input: z.object({}),
  output: leaving,
  refusals: [],
});

export const deleteAccount = defineEndpoint({
  method: 'POST',
  path: '/user/delete-account',
  who: 'user',
  summary: `Schedules the deletion of the account: cancels open orders now, by the usual rules, and deletes the account after ${deletionDays} days unless the person cancels the deletion. A refusal comes before anything is canceled, with the preview in \`data.preview\`.`,
  input: z.object({ password: z.string().max(200).default('') }),
  output: z.object({ deletionDueAt: instant, canceledOrders: z.number().int() }),
  refusals: [
    'privacy.passwordWrong',
    'privacy.rideUnderWay',
    'privacy.feeDue',
    'privacy.owes',
    'privacy.disputeOpen',
    'privacy.refundOpen',
    'privacy.orderMoved',
    'privacy.lastOwner',
    'session.stepUp',
  ],
});

export const cancelDelete = defineEndpoint({
  method: 'POST',
  path: '/user/cancel-delete',
  who: 'user',
  summary: 'Cancels the deletion of the account, until it is due.',
  input: z.object({}),
  output: z.object({}),
  refusals: ['privacy.deletionDue'],
});

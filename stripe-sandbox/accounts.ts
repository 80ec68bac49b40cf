import type { Stripe } from 'stripe';
import { z } from 'zod';
import { UnstartedError, notNow } from './api-error.ts';
import { mergeMetadata } from './metadata.ts';
import { flag, listOf, metadata, paging, route, webAddress, words, type Route } from './routing.ts';
import {
  add,
  look,
  newId,
  save,
  saveDeleted,
  secondsOf,
  take,
  tell,
  type Call,
  type SandboxObject,
} from './objects.ts';

type Account = SandboxObject<'account'>;

/** How the check of a driver's papers ends, as chosen on the hosted page. */
export const onboardingOutcomes = ['verified', 'restricted', 'rejected'] as const;
export type OnboardingOutcome = (typeof onboardingOutcomes)[number];

const linkSeconds = 5 * 60;
const needed = [
  'external_account',
  'individual.dob.day',
  'individual.dob.month',
  'individual.dob.year',
  'individual.first_name',
  'individual.last_name',
  'tos_acceptance.date',
];

const capability = z.strictObject({ requested: flag }).optional();
const settings = z
  .strictObject({
    payouts: z.strictObject({
      schedule: z.strictObject({ interval: z.enum(['manual', 'daily']), delay_days: z.string().optional() }),
    }),
  })
  .optional();

export const accountRoutes: readonly Route[] = [
  route(
    'POST',
    '/v1/accounts',
    {
      type: z.literal('express'),
      country: z.literal('US').default('US'),
      email: words(800),
      business_type: z.literal('individual').optional(),
      capabilities: z.strictObject({ transfers: capability, card_payments: capability }).optional(),
      business_profile: z
        .strictObject({ mcc: words(4), product_description: words(40_000), url: words(2000) })
        .optional(),
      settings,
      metadata,
    },
    async (call, input) => {
      const id = newId('account');
      const requested = Object.entries(input.capabilities ?? {}).filter(([, value]) => value?.requested);
      const body: Stripe.Account = {
        id,
        object: 'account',
        business_profile: null,
        business_type: input.business_type ?? null,
        capabilities: Object.fromEntries(requested.map(([name]) => [name, 'inactive'])),
        charges_enabled: false,
        country: input.country,
        created: secondsOf(call.now),
        default_currency: 'usd',
        details_submitted: false,
        email: input.email ?? null,
        external_accounts: {
          object: 'list',
          data: [],
          has_more: false,
          url: `/v1/accounts/${id}/external_accounts`,
        },
        metadata: input.metadata ?? {},
        payouts_enabled: false,
        requirements: requirementsOf(needed, 'requirements.past_due'),
        type: 'express',
      };
      const isByHand = input.settings?.payouts.schedule.interval === 'manual';
      const account = add(call, 'account', body, {
        hidden: isByHand ? { paysOutByHand: true } : {},
      });
      tell(call, 'account.updated', account);
      return body;
    },
  ),

  route('GET', '/v1/accounts', paging, (call, input) =>
    listOf(call, 'account', input, { url: '/v1/accounts' }),
  ),
  route('GET', '/v1/account', {}, async (call) => ownAccount(call)),
  route('GET', '/v1/accounts/:id', {}, async (call, _input, id) => (await look(call, 'account', id)).body),

  route('POST', '/v1/accounts/:id', { metadata, email: words(800) }, async (call, input, id) => {
    const account = await take(call, 'account', id, { status: 404 });
    account.body.metadata = mergeMetadata(account.body.metadata ?? {}, input.metadata ?? {});
    if (input.email !== undefined) account.body.email = input.email;
    save(call, account);
    tell(call, 'account.updated', account);
    return account.body;
  }),

  route('DELETE', '/v1/accounts/:id', {}, async (call, _input, id) => {
    const account = await take(call, 'account', id, { status: 404 });
    const gone = { id, object: 'account', deleted: true } as const;
    saveDeleted(call, account, gone);
    return gone;
  }),

  route(
    'POST',
    '/v1/account_links',
    {
      account: z.string(),
      type: z.enum(['account_onboarding', 'account_update']),
      refresh_url: webAddress,
      return_url: webAddress,
      collect: z.enum(['currently_due', 'eventually_due']).optional(),
    },
    async (call, input) => {
      await take(call, 'account', input.account);
      const id = newId('account_link');
      const link: Stripe.AccountLink = {
        object: 'account_link',
        created: secondsOf(call.now),
        expires_at: secondsOf(call.now) + linkSeconds,
        url: `${call.pagesUrl}/onboarding/${id}`,
      };
      add(
        call,
        'account_link',
        { ...link, id },
        {
          hidden: {
            returnUrl: input.return_url,
            refreshUrl: input.refresh_url,
            forAccount: input.account,
          },
        },
      );
      return link;
    },
  ),
];

function requirementsOf(
  due: string[],
  disabled: Stripe.Account.Requirements['disabled_reason'],
): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: disabled,
    errors: [],
    eventually_due: due,
    past_due: due,
    pending_verification: [],
  };
}

/** Ends the check of an account's papers with the outcome chosen on the hosted page. */
export async function endOnboarding(call: Call, account: Account, outcome: OnboardingOutcome): Promise<void> {
  const { body } = account;
  const isVerified = outcome === 'verified';
  body.details_submitted = true;
  body.charges_enabled = isVerified;
  body.payouts_enabled = isVerified;
  for (const name of ['transfers', 'card_payments'] as const)
    if (body.capabilities?.[name] !== undefined) body.capabilities[name] = isVerified ? 'active' : 'inactive';
  body.requirements = {
    verified: () => requirementsOf([], null),
    restricted: () => requirementsOf(['individual.verification.document'], 'requirements.past_due'),
    rejected: () => requirementsOf([], 'rejected.other'),
  }[outcome]();
  save(call, account);
  tell(call, 'account.updated', { ...account, account: account.id });
}

/** @throws ApiError when the account cannot be paid. */
export async function requirePayable(call: Call, id: string): Promise<void> {
  const account = await take(call, 'account', id, { param: 'transfer_data[destination]' });
  if (account.body.capabilities?.transfers === 'active') return;
  throw notNow(
    'insufficient_capabilities_for_transfer',
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
  );
}

/** @throws ApiError 403 for an account that is not there, as for a `Stripe-Account` of another platform. */
export async function requireAccount(call: Call, id: string): Promise<void> {
  if ((await call.objects.find({ id, kind: 'account', account: '' })) !== null) return;
  throw new UnstartedError(
    403,
    'invalid_request_error',
    `The provided key does not have access to account '${id}' (or that account does not exist).`,
    { code: 'account_invalid' },
  );
}

/** The platform's own account: there is one, and it accepts test money. */
const ownAccount = (call: Call): Stripe.Account => ({
  id: 'acct_sandbox',
  object: 'account',
  business_profile: null,
  business_type: null,
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'US',
  created: secondsOf(call.now),
  default_currency: 'usd',
  details_submitted: true,
  email: null,
  external_accounts: {
    object: 'list',
    data: [],
    has_more: false,
    url: '/v1/accounts/acct_sandbox/external_accounts',
  },
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
});

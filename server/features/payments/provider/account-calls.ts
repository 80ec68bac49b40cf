import type { Stripe } from 'stripe';
import { done, instantOf, type Attempt, type Outcome } from './outcomes.ts';

/** Whether a driver can be paid: not begun, being filled in, ready, something missing, refused for good. */
export type AccountState = 'started' | 'verified' | 'restricted' | 'rejected';

export interface DriverAccount {
  id: string;
  state: AccountState;
  /** The provider's open requirements, in its words. */
  missing: readonly string[];
  metadata: Readonly<Record<string, string>>;
}

/** The operator's own account, which the key belongs to. */
export interface OwnAccount {
  id: string;
  /** The name that its owner gave it; may be empty. */
  name: string;
  takesMoney: boolean;
}

export interface Earnings {
  availableCents: number;
  pendingCents: number;
}

export interface DriverPayout {
  id: string;
  amountCents: number;
  state: string;
  arrivesAt: Date;
}

/** The calls about drivers' accounts. */
export const accountCalls = (stripe: Stripe, attempt: Attempt) => ({
  createAccount: (
    input: { email: string; metadata: Readonly<Record<string, string>> },
    key: string,
  ): Promise<Outcome<DriverAccount>> =>
    attempt(async () =>
      done(
        accountOf(
          await stripe.accounts.create(
            {
              type: 'express',
              country: 'US',
              email: input.email,
              business_type: 'individual',
              capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
              metadata: { ...input.metadata },
            },
            { idempotencyKey: key },
          ),
        ),
      ),
    ),

  /** Where a driver fills in their papers; good once, for minutes. */
  onboardingUrl: (
    input: { accountId: string; returnUrl: string; refreshUrl: string },
    key: string,
  ): Promise<Outcome<string>> =>
    attempt(async () =>
      done(
        (
          await stripe.accountLinks.create(
            {
              account: input.accountId,
              type: 'account_onboarding',
              return_url: input.returnUrl,
              refresh_url: input.refreshUrl,
            },
            { idempotencyKey: key },
          )
        ).url,
      ),
    ),

  account: (accountId: string): Promise<Outcome<DriverAccount>> =>
    attempt(async () => done(accountOf(await stripe.accounts.retrieve(accountId)))),

  ownAccount: (): Promise<Outcome<OwnAccount>> =>
    attempt(async () => {
      const account = await stripe.accounts.retrieveCurrent();
      const { id, business_profile: profile, charges_enabled: takesMoney } = account;
      const name = profile?.name ?? account.settings?.dashboard.display_name ?? '';
      return done({ id, name, takesMoney });
    }),

  earnings: (accountId: string): Promise<Outcome<Earnings>> =>
    attempt(async () => {
      const balance = await stripe.balance.retrieve({}, { stripeAccount: accountId });
      return done({ availableCents: usdOf(balance.available), pendingCents: usdOf(balance.pending) });
    }),

  /** The latest payouts to a driver's bank, the newest first. */
  payouts: (accountId: string): Promise<Outcome<DriverPayout[]>> =>
    attempt(async () => {
      const list = await stripe.payouts.list({ limit: 50 }, { stripeAccount: accountId });
      return done(
        list.data.map((payout) => ({
          id: payout.id,
          amountCents: payout.amount,
          state: payout.status,
          arrivesAt: instantOf(payout.arrival_date),
        })),
      );
    }),
});

const usdOf = (lines: readonly { amount: number; currency: string }[]): number =>
  lines.reduce((sum, line) => (line.currency === 'usd' ? sum + line.amount : sum), 0);

function accountOf(account: Stripe.Account): DriverAccount {
  const missing = account.requirements?.currently_due ?? [];
  const isRejected = account.requirements?.disabled_reason?.startsWith('rejected.') === true;
  const isVerified = account.capabilities?.transfers === 'active' && account.payouts_enabled;
  const state = isRejected
    ? 'rejected'
    : isVerified
      ? 'verified'
      : account.details_submitted
        ? 'restricted'
        : 'started';
  return { id: account.id, state, missing, metadata: account.metadata ?? {} };
}

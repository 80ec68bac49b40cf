import type { OutputOf } from '#contract/define.ts';
import type { paymentAccount } from '#contract/payments/endpoints.ts';
import type { Platform } from '../../../platform/platform.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import { requireCards, valueOf } from '../cards/service.ts';
import * as store from '../store.ts';
import type { AccountRow } from '../store.ts';

export type Accounts = ReturnType<typeof createAccounts>;

const lookEveryMs = 10 * minuteMs;
const lookAtAllEveryMs = dayMs;

/** Drivers' accounts at the provider: opened there, filled in on its pages, and read from it. */
export function createAccounts(
  { db, transact, clock, env, outbox, limit }: Platform,
  provider: CardProvider,
  identity: IdentityService,
) {
  const registrationFailed = () =>
    new Refusal('payment.registrationFailed', 'Payment registration failed, please try again.');

  /** Reads an account from the provider; what was known stands while it does not answer. */
  async function read(account: AccountRow): Promise<AccountRow> {
    const read = await provider.account(account.accountId);
    if (read.outcome !== 'done') return account;
    const { state, missing } = read.value;
    return transact(async (tx) => {
      const at = clock.now();
      const set = { state, missing: [...missing], checkedAt: at };
      const now = await store.updateAccount(tx, account.accountId, set);
      // Restricted and mended between two looks: what was refused meanwhile is asked for anew, though nothing seems to have moved.
      const isMended =
        state === 'verified' && (await store.hasRefusedHolds(tx, account.userId, later(at, -lookEveryMs)));
      if (now !== null && (account.state !== state || isMended))
        await outbox.emit(tx, 'account.moved', { userId: account.userId, state }, account.userId);
      return now ?? account;
    });
  }

  async function accountOf(userId: string): Promise<AccountRow> {
    const known = await store.accountOf(db, userId, provider.kind);
    if (known !== null) return known;
    const email = (await identity.contactDetails([userId])).get(userId)?.email ?? '';
    const made = valueOf(
      await provider.createAccount({ email, metadata: { user: userId } }, `account:${userId}`),
      registrationFailed,
    );
    const now = clock.now();
    await store.saveAccount(db, {
      userId,
      provider: provider.kind,
      accountId: made.id,
      state: made.state,
      missing: [...made.missing],
      createdAt: now,
      checkedAt: now,
    });
    return (await store.accountOf(db, userId, provider.kind))!;
  }

  return {
    /** Whether a driver can be paid, as last heard of. */
    isReady: async (tx: Db, userId: string) =>
      (await store.accountOf(tx, userId, provider.kind))?.state === 'verified',

    /** How a driver's account stands, with its balance and payouts where the provider answers. */
    async show(userId: string): Promise<OutputOf<typeof paymentAccount>> {
      const known = await store.accountOf(db, userId, provider.kind);
      if (known === null) return { state: 'none', missing: [], balance: null, payouts: [] };
      const [account, balance, payouts] = await Promise.all([
        read(known),
        provider.earnings(known.accountId),
        provider.payouts(known.accountId),
      ]);
      return {
        state: account.state,
        missing: account.missing,
        balance: balance.outcome === 'done' ? balance.value : null,
        payouts:
          payouts.outcome === 'done'
            ? payouts.value.map((payout) => ({ ...payout, arrivesAt: payout.arrivesAt.toISOString() }))
            : [],
      };
    },

    /** Where a driver goes on filling in what is needed to be paid. */
    async onboardLink(userId: string): Promise<{ url: string }> {
      requireCards(env);
      await limit(`onboard:${userId}`, 30, 3600);
      const account = await accountOf(userId);
      if (account.state === 'rejected')
        throw new Refusal(
          'payment.accountRejected',
          'The card provider has refused this account. Please write to us.',
        );
      const landing = `${env.publicUrl}/pages/account/stripelanding`;
      const link = await provider.onboardingUrl(
        { accountId: account.accountId, returnUrl: landing, refreshUrl: `${landing}?again=1` },
        crypto.randomUUID(),
      );
      return { url: valueOf(link, registrationFailed) };
    },

    /** Reads the account that an event speaks of. */
    async heard(accountId: string): Promise<void> {
      const known = await store.accountById(db, accountId);
      if (known !== null) await read(known);
    },

    /** Reads a driver's account after the provider has refused to pay it. */
    async doubted(driverId: string): Promise<void> {
      const known = await store.accountOf(db, driverId, provider.kind);
      if (known !== null) await read(known);
    },

    /** By the clock: reads accounts in case an event was lost, the verified ones too. */
    async lookAgain(): Promise<void> {
      const now = clock.now();
      const before = { soon: later(now, -lookEveryMs), later: later(now, -lookAtAllEveryMs) };
      for (const account of await store.accountsToRead(db, provider.kind, before)) await read(account);
    },
  };
}

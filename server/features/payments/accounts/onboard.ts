import { Refusal } from '../../../platform/refusal.ts';
import { registrationFailed, requireCards, valueOf } from '../provider/refusals.ts';
import type { ProviderContext } from '../provider/context.ts';
import * as store from './store.ts';
import type { AccountRow } from './store.ts';
import { contactDetailsOf } from '../../identity/service.ts';

/**
 * The address where a driver goes on entering what is needed to be paid. Refuses `payment.accountRejected`.
 */
export async function linkToOnboarding(context: ProviderContext, userId: string): Promise<{ url: string }> {
  const { env } = context.platform;
  requireCards(env);
  const account = await openAccount(context, userId);
  if (account.state === 'rejected')
    throw new Refusal(
      'payment.accountRejected',
      'The card provider closed this payment account. Please write to us.',
    );
  const landing = `${env.publicUrl}/pages/account/stripelanding`;
  const link = await context.provider.onboardingUrl(
    { accountId: account.accountId, returnUrl: landing, refreshUrl: `${landing}?again=1` },
    crypto.randomUUID(),
  );
  return { url: valueOf(link, registrationFailed) };
}

/** A driver's account, opened at the provider where they have none. */
async function openAccount({ platform, provider }: ProviderContext, userId: string): Promise<AccountRow> {
  const { db, clock } = platform;
  const known = await store.accountOf(db, userId, provider.kind);
  if (known !== null) return known;
  const email = (await contactDetailsOf(platform, [userId])).get(userId)?.email ?? '';
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

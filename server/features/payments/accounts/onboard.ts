import type { App } from '../../../app-type.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { registrationFailed, requireCards, valueOf } from '../provider/refusals.ts';
import * as store from './store.ts';
import type { AccountRow } from './store.ts';

/**
 * The address where a driver goes on entering what is needed to be paid. Refuses `payment.accountRejected`.
 */
export async function linkToOnboarding(app: App, userId: string): Promise<{ url: string }> {
  const { env } = app;
  requireCards(env);
  const account = await openAccount(app, userId);
  if (account.state === 'rejected')
    throw new Refusal(
      'payment.accountRejected',
      'The card provider closed this payment account. Please write to us.',
    );
  const landing = `${env.publicUrl}/pages/account/stripelanding`;
  const link = await app.payments.provider.onboardingUrl(
    { accountId: account.accountId, returnUrl: landing, refreshUrl: `${landing}?again=1` },
    crypto.randomUUID(),
  );
  return { url: valueOf(link, registrationFailed) };
}

/** A driver's account, opened at the provider where they have none. */
async function openAccount(app: App, userId: string): Promise<AccountRow> {
  const { db, clock } = app;
  const known = await store.accountOf(db, userId, app.payments.provider.kind);
  if (known !== null) return known;
  const email = (await contactDetailsOf(app, [userId])).get(userId)?.email ?? '';
  const made = valueOf(
    await app.payments.provider.createAccount({ email, metadata: { user: userId } }, `account:${userId}`),
    registrationFailed,
  );
  const now = clock.now();
  await store.saveAccount(db, {
    userId,
    provider: app.payments.provider.kind,
    accountId: made.id,
    state: made.state,
    missing: [...made.missing],
    createdAt: now,
    checkedAt: now,
  });
  return (await store.accountOf(db, userId, app.payments.provider.kind))!;
}

import { registrationFailed, unavailable, valueOf } from '../provider/refusals.ts';
import type { ProviderContext } from '../provider/context.ts';
import * as store from './store.ts';
import { contactDetailsOf, peopleByIds } from '../../identity/service.ts';

/** The id of a person's customer at the provider; it is made at their first card. */
export async function customerOf({ platform, provider }: ProviderContext, userId: string): Promise<string> {
  const known = await store.payerOf(platform.db, userId, provider.kind);
  if (known !== null) return known;
  const details = (await contactDetailsOf(platform, [userId])).get(userId);
  const name = (await peopleByIds(platform, [userId])).get(userId)?.name ?? '';
  const made = await provider.createCustomer(
    { email: details?.email ?? '', name, metadata: { user: userId } },
    `customer:${userId}`,
  );
  const customerId = valueOf(made, registrationFailed);
  const createdAt = platform.clock.now();
  return store.savePayer(platform.db, { userId, provider: provider.kind, customerId, createdAt });
}

/** Deletes a person's cards and name at the provider, before their account is deleted. */
export async function deleteCustomer({ platform, provider }: ProviderContext, userId: string): Promise<void> {
  const customerId = await store.payerOf(platform.db, userId, provider.kind);
  if (customerId === null) return;
  const gone = await provider.deleteCustomer(customerId);
  if (gone.outcome === 'unavailable') throw unavailable();
}

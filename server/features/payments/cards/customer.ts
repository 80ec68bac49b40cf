import type { App } from '../../../app-type.ts';
import { contactDetailsOf, peopleByIds } from '../../identity/service.ts';
import { registrationFailed, unavailable, valueOf } from '../provider/refusals.ts';
import * as store from './store.ts';

/** The id of a person's customer at the provider; it is made at their first card. */
export async function customerOf(app: App, userId: string): Promise<string> {
  const known = await store.payerOf(app.db, userId, app.payments.provider.kind);
  if (known !== null) return known;
  const details = (await contactDetailsOf(app, [userId])).get(userId);
  const name = (await peopleByIds(app, [userId])).get(userId)?.name ?? '';
  const made = await app.payments.provider.createCustomer(
    { email: details?.email ?? '', name, metadata: { user: userId } },
    `customer:${userId}`,
  );
  const customerId = valueOf(made, registrationFailed);
  const createdAt = app.clock.now();
  return store.savePayer(app.db, { userId, provider: app.payments.provider.kind, customerId, createdAt });
}

/** Deletes a person's cards and name at the provider, before their account is deleted. */
export async function deleteCustomer(app: App, userId: string): Promise<void> {
  const customerId = await store.payerOf(app.db, userId, app.payments.provider.kind);
  if (customerId === null) return;
  const gone = await app.payments.provider.deleteCustomer(customerId);
  if (gone.outcome === 'unavailable') throw unavailable();
}

import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import { hasRefusedAuthorizations } from '../authorizations/store.ts';
import type { ProviderContext } from '../provider/context.ts';
import * as store from './store.ts';
import type { AccountRow } from './store.ts';

const readEveryMs = 10 * minuteMs;
const readAllEveryMs = dayMs;

/** Reads an account from the provider; what was known stands while it does not answer. */
export async function readAccount(
  { platform, provider }: ProviderContext,
  account: AccountRow,
): Promise<AccountRow> {
  const { transact, clock, outbox } = platform;
  const read = await provider.account(account.accountId);
  if (read.outcome !== 'done') return account;
  const { state, missing } = read.value;
  const { accountId, userId } = account;
  return transact(async (tx) => {
    const at = clock.now();
    const set = { state, missing: [...missing], checkedAt: at };
    const updated = await store.updateAccount(tx, accountId, set);
    // Restricted and repaired between two reads: what was refused meanwhile is placed anew, though nothing
    // seems to have moved.
    const isRepaired =
      state === 'verified' && (await hasRefusedAuthorizations(tx, userId, later(at, -readEveryMs)));
    if (updated !== null && (account.state !== state || isRepaired))
      await outbox.emit(tx, 'account.moved', { userId, state }, userId);
    return updated ?? account;
  });
}

/** Reads the account that an event is about. */
export async function readById(context: ProviderContext, accountId: string): Promise<void> {
  const known = await store.accountById(context.platform.db, accountId);
  if (known !== null) await readAccount(context, known);
}

/** Reads a driver's account after the provider has refused to pay it. */
export async function readOfDriver(context: ProviderContext, driverId: string): Promise<void> {
  const { platform, provider } = context;
  const known = await store.accountOf(platform.db, driverId, provider.kind);
  if (known !== null) await readAccount(context, known);
}

/** By the clock: reads accounts in case an event was lost, the verified ones too. */
export async function readDue(context: ProviderContext): Promise<void> {
  const { platform, provider } = context;
  const now = platform.clock.now();
  const before = { soon: later(now, -readEveryMs), later: later(now, -readAllEveryMs) };
  for (const account of await store.accountsToRead(platform.db, provider.kind, before))
    await readAccount(context, account);
}

import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import { hasRefusedAuthorizations } from '../authorizations/store.ts';
import type { DriverAccount } from '../provider/account-calls.ts';
import type { ProviderContext } from '../provider/context.ts';
import * as store from './store.ts';
import type { AccountRow } from './store.ts';

const readEveryMs = 10 * minuteMs;
const readAllEveryMs = dayMs;

/** So often an account is read while other reads of it overtake. */
const mostReads = 5;

/**
 * Reads an account from the provider, again where another read has overtaken; null while the provider does
 * not answer. One that the provider no longer knows stays as it was.
 */
async function readAnswered(context: ProviderContext, account: AccountRow): Promise<AccountRow | null> {
  const { platform, provider } = context;
  for (let seen = account, reads = 0; reads < mostReads; reads++) {
    const read = await provider.account(seen.accountId);
    if (read.outcome === 'refused') return seen;
    if (read.outcome !== 'done') return null;
    const kept = await recordAccount(context, seen, read.value);
    if (kept !== null) return kept;
    const now = await store.accountById(platform.db, seen.accountId);
    if (now === null) return seen;
    seen = now;
  }
  return null;
}

/** Writes what the provider says of an account; null where another read has been kept since `seen`. */
function recordAccount(
  { platform: { transact, clock, outbox } }: ProviderContext,
  seen: AccountRow,
  { state, missing }: DriverAccount,
): Promise<AccountRow | null> {
  const { userId } = seen;
  return transact(async (tx) => {
    const at = clock.now();
    const set = { state, missing: [...missing], checkedAt: at };
    const updated = await store.updateAccount(tx, seen, set);
    if (updated === null) return null;
    // Restricted and repaired between two reads: what was refused meanwhile is placed anew, though nothing
    // seems to have moved.
    const isRepaired =
      state === 'verified' && (await hasRefusedAuthorizations(tx, userId, later(at, -readEveryMs)));
    if (seen.state !== state || isRepaired) await outbox.emit(tx, 'account.moved', { userId, state }, userId);
    return updated;
  });
}

/** Reads an account from the provider; what was known stands while it does not answer. */
export const readAccount = async (context: ProviderContext, account: AccountRow): Promise<AccountRow> =>
  (await readAnswered(context, account)) ?? account;

/** Reads the account that an event is about. @throws Error where the provider does not answer. */
export async function readById(context: ProviderContext, accountId: string): Promise<void> {
  const known = await store.accountById(context.platform.db, accountId);
  if (known !== null && (await readAnswered(context, known)) === null)
    throw new Error(`the account ${accountId} does not answer`);
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

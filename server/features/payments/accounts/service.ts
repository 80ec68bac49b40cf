import type { Db } from '../../../platform/database/db.ts';
import { bindCommand } from '../bind-command.ts';
import type { ProviderContext } from '../provider/context.ts';
import { linkToOnboarding } from './onboard.ts';
import { readById, readDue, readOfDriver } from './read-account.ts';
import { showAccount } from './show-account.ts';
import { accountOf } from './store.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Drivers' accounts at the provider: opened there, filled in on its pages, and read from it. */
export const createAccounts = (context: ProviderContext) => ({
  /** Whether a driver can be paid, as last read. */
  isReady: async (tx: Db, userId: string) =>
    (await accountOf(tx, userId, context.provider.kind))?.state === 'verified',
  show: bindCommand(context, showAccount),
  onboardLink: bindCommand(context, linkToOnboarding),
  readById: bindCommand(context, readById),
  readOfDriver: bindCommand(context, readOfDriver),
  readDue: bindCommand(context, readDue),
});

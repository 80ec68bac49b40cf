import type { App } from '../../app-type.ts';
import { readDueAccounts } from './accounts/read-account.ts';
import { endTestMoney } from './authorizations/end-test-money.ts';
import { workOnAuthorizations } from './authorizations/worker.ts';
import { bookBalance } from './books/compare-books.ts';
import { moveDueTransfers } from './chargebacks/move-transfer.ts';
import { readWithoutPayment } from './chargebacks/read-chargeback.ts';
import { cancelUndecided } from './claims/part-way-fare.ts';
import { catchUpWithEvents } from './webhooks/receive-events.ts';

/** Does everything about payments that is due. */
export async function workOnPayments(app: App): Promise<void> {
  await cancelUndecided(app);
  await endTestMoney(app);
  await workOnAuthorizations(app);
  await moveDueTransfers(app);
}

/** Reads from the provider what no webhook has brought. */
export async function lookForEvents(app: App): Promise<void> {
  await catchUpWithEvents(app);
  await readWithoutPayment(app);
  await readDueAccounts(app);
  await bookBalance(app);
}

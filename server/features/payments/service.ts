import type { Stripe } from 'stripe';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/payments/endpoints.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import type { IdentityService } from '../identity/service.ts';
import { createAccounts } from './accounts/service.ts';
import { createAlarms } from './alarms/service.ts';
import { createBooks } from './books/service.ts';
import { createCards } from './cards/service.ts';
import { createChargebacks } from './chargebacks/service.ts';
import { createMoneyAdmin } from './money-admin.ts';
import { createContested } from './claims/contested-fare.ts';
import { createDisputes } from './claims/service.ts';
import { createAuthorizations } from './authorizations/service.ts';
import { createWebhooks } from './webhooks/service.ts';
import { createPartWay } from './claims/part-way-fare.ts';
import { createPaying } from './authorizations/pay-booking.ts';
import { chooseProvider } from './provider/choose-provider.ts';
import { createReconciliation } from './reconciliation/service.ts';
import { createRideDate } from './authorizations/follow-ride.ts';
import { erasure } from './erasure/store.ts';
import { cancelFee, noShowFee } from './rules/cancel-fee.ts';
import { feeOf } from './rules/fees.ts';
import { needOf } from './rules/next-step.ts';
import * as store from './store.ts';
import { termsOf } from './terms.ts';
import { createTestMoneyLeft } from './authorizations/end-test-money.ts';
import { viewEarning, viewPayment, viewReceipt } from './view.ts';

export { needOf };

export type PaymentsService = Awaited<ReturnType<typeof createPayments>>;

const pageSize = 30;

/** Money: who pays and who is paid, what is held, taken and given back, and the ledger of it. */
export async function createPayments(
  platform: Platform,
  { identity }: { identity: IdentityService },
  httpClient?: Stripe.HttpClient,
) {
  const { db, clock } = platform;
  const alarms = createAlarms(platform);
  const { provider, sandbox, sendEventsTo, catchUp } = await chooseProvider(platform, {
    httpClient,
    onFault: (kind, detail) => alarms.note({ kind, about: '', detail }),
  });
  const terms = termsOf(platform.env, provider.kind);
  const cards = createCards(platform, provider, identity);
  const accounts = createAccounts(platform, provider, identity);
  const authorizations = createAuthorizations(platform, provider, { cards, accounts, terms, alarms });
  const endTestMoney = createTestMoneyLeft(platform, provider, authorizations);
  const chargebacks = createChargebacks(platform, provider, alarms);
  const books = createBooks(platform, provider);
  const webhooks = createWebhooks(platform, provider, {
    holds: authorizations,
    cards,
    accounts,
    chargebacks,
  });
  const reconciliation = createReconciliation(platform, provider, { holds: authorizations, books, alarms });
  const moneyAdmin = createMoneyAdmin(platform, identity, { alarms, books, chargebacks });
  const disputes = createDisputes(platform, identity, terms);
  const partWay = createPartWay(platform, disputes);
  const contested = createContested(platform, disputes);
  const paying = createPaying(platform, { holds: authorizations, cards });
  const rideDate = createRideDate(platform, { holds: authorizations, cards });

  async function receipts(
    passengerId: string,
    { offset, bookingId }: { offset: number; bookingId?: string | undefined },
  ): Promise<OutputOf<typeof calls.receipts>> {
    const { rows, total } = await store.paymentsOf(db, passengerId, { offset, size: pageSize, bookingId });
    const [people, ridden] = await Promise.all([
      identity.people(rows.map(({ driverId }) => driverId)),
      store.riddenOf(
        db,
        rows.filter(({ kind }) => kind === 'partWay').map((hold) => hold.bookingId),
      ),
    ]);
    return {
      receipts: rows.map((hold) =>
        viewReceipt(hold, people.get(hold.driverId) ?? null, ridden.get(hold.bookingId) ?? null),
      ),
      total,
    };
  }

  async function earnings(driverId: string, offset: number): Promise<OutputOf<typeof calls.earnings>> {
    const [{ rows, total }, sums] = await Promise.all([
      store.earningsOf(db, driverId, { offset, size: pageSize }),
      store.earningSums(db, driverId),
    ]);
    const [people, objections] = await Promise.all([
      identity.people(rows.map(({ passengerId }) => passengerId)),
      store.disputesOf(
        db,
        rows.map(({ bookingId }) => bookingId),
      ),
    ]);
    const disputeOf = new Map(objections.map((each) => [each.bookingId, each]));
    return {
      earnings: rows.map((hold) =>
        viewEarning(hold, {
          passenger: people.get(hold.passengerId) ?? null,
          dispute: disputeOf.get(hold.bookingId) ?? null,
          terms,
        }),
      ),
      total,
      netCents: sums.netCents,
      comingCents: sums.comingCents.reduce((sum, cents) => sum + cents - feeOf(cents, terms.fees), 0),
    };
  }

  return {
    erasure,
    provider,
    sandbox,
    sendEventsTo,
    /** The figures that people are told. */
    terms: terms.shown,

    // What the features above want, in their own transactions.
    plan: authorizations.plan,
    reprice: authorizations.reprice,
    follow: rideDate.follow,
    isSecured: authorizations.isSecured,
    settle: authorizations.settle,
    resume: authorizations.resume,
    contest: contested.contest,
    decideBy: contested.decideBy,
    settlePartWay: partWay.settlePartWay,
    current: (tx: Db, bookingId: string) => store.currentHold(tx, bookingId),
    isAccountReady: accounts.isReady,
    hasCardFor: async (tx: Db, passengerId: string, at: Date) =>
      (await cards.toPayWith(tx, passengerId, at)) !== null,
    owesSomething: (passengerId: string) => store.owesSomething(db, passengerId),
    /** What canceling at an instant costs. */
    cancelFee: (booking: Parameters<typeof cancelFee>[0], at: Date) => cancelFee(booking, at, terms.cancel),
    /** Whether a payment of theirs that a bank took back, or warns of, keeps a passenger from joining paid rides. */
    isBlocked: chargebacks.isBlocked,

    noShowFee: (fareCents: number) => noShowFee(fareCents, terms.cancel),

    /** Does at once what is due for one booking, after the transaction that wanted it. */
    workOn: authorizations.workOn,
    authorize: paying.authorize,
    askAnewFor: authorizations.askAnewFor,

    /** The payments of bookings as one of their sides sees them, by booking. */
    async views(
      tx: Db,
      bookings: readonly { id: string; side: 'driver' | 'passenger' }[],
    ): Promise<Map<string, BookingPayment>> {
      const ids = bookings.map(({ id }) => id);
      const rows = await store.currentHolds(tx, ids);
      if (rows.length === 0) return new Map();
      const found = new Map((await store.disputesOf(tx, ids)).map((each) => [each.bookingId, each]));
      const sides = new Map(bookings.map(({ id, side }) => [id, side]));
      const needed = rows.filter((hold) => needOf(hold) !== null && sides.get(hold.bookingId) === 'driver');
      const reminders = await store.remindersOf(
        tx,
        needed.map((hold) => ({ id: hold.id, passengerId: hold.passengerId, need: needOf(hold)! })),
      );
      const now = clock.now();
      return new Map(
        rows.map((hold) => [
          hold.bookingId,
          viewPayment(hold, found.get(hold.bookingId) ?? null, {
            side: sides.get(hold.bookingId) ?? 'driver',
            now,
            terms,
            reminder: reminders.get(hold.id),
          }),
        ]),
      );
    },

    cards: cards.list,
    addCard: cards.begin,
    chooseCard: cards.choose,
    removeCard: cards.remove,
    forgetCustomer: cards.forget,
    account: accounts.show,
    onboardLink: accounts.onboardLink,
    receipts,
    earnings,
    openDispute: disputes.open,
    answerDispute: disputes.answer,
    resolveDispute: disputes.resolve,
    listDisputes: disputes.list,

    /** A webhook's body; false when it is not the provider's. */
    receive: webhooks.receive,
    /** By the clock. */
    async work() {
      await alarms.writeNoted();
      await partWay.letGoUndecided();
      await endTestMoney();
      await authorizations.work();
      await chargebacks.work();
    },
    playSandbox: catchUp,
    lookForEvents: async () => {
      await webhooks.catchUp();
      await accounts.lookAgain();
      await books.book();
    },
    reconcile: reconciliation,
    /**
     * Whether the ledger says what the provider's balance says, its fees, payouts and disputes included, and what holds and
     * provider have not both booked yet. Null while the provider does not answer. Tests and histories hold it as an invariant.
     */
    ledgerEqualsProvider: books.compare,
    ...moneyAdmin,
  };
}

import type { App } from '../../app-type.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { Db } from '../../platform/database/db.ts';
import { createAccounts } from './accounts/service.ts';
import { createAlarms } from './alarms/service.ts';
import { listOpenAuthorizations } from './authorizations/open-authorizations.ts';
import { createAuthorizations } from './authorizations/service.ts';
import { currentAuthorization } from './authorizations/store.ts';
import { writeOffDebt } from './authorizations/write-off-debt.ts';
import { bindCommand } from './bind-command.ts';
import { paymentsOfBookings } from './booking-payments.ts';
import { createBooks } from './books/service.ts';
import { createCards } from './cards/service.ts';
import { createChargebacks } from './chargebacks/service.ts';
import { createClaims } from './claims/service.ts';
import { erasure } from './erasure/store.ts';
import { paymentGauges } from './gauges.ts';
import { answerChargeback, clearChargeback, endAlarm, listMoney } from './money-admin.ts';
import { chooseProvider } from './provider/choose-provider.ts';
import { standingOf, unsettledOf } from './queries.ts';
import { listEarnings, listReceipts } from './receipts.ts';
import type { RecordDirectory } from './record-directory.ts';
import { createReconciliation } from './reconciliation/service.ts';
import { cancelFee, noShowFee } from './rules/cancel-fee.ts';
import { needOf } from './rules/next-step.ts';
import { termsOf } from './terms.ts';
import { createWebhooks } from './webhooks/service.ts';

export { needOf };

export type PaymentsService = Awaited<ReturnType<typeof createPayments>>;

/** What payments stand on, and what the features above have noted of rides. */
export interface PaymentFeatures {
  records: RecordDirectory;
}

/** Money: who pays and who is paid, what is authorized, captured and refunded, and the ledger of it. */
export async function createPayments(
  platform: App,
  features: PaymentFeatures,
  httpClient?: Stripe.HttpClient,
) {
  const parts = await createParts(platform, features, httpClient);
  for (const gauge of paymentGauges(platform.db, platform.clock)) platform.metrics.addGauge(gauge);
  return {
    erasure,
    provider: parts.chosen.provider,
    sandbox: parts.chosen.sandbox,
    sendEventsTo: parts.chosen.sendEventsTo,
    /** The figures that people are told. */
    terms: parts.context.terms.shown,
    ...verbsOfFeatures(parts),
    ...verbsOfPeople(parts),
    ...verbsOfClock(parts),
  };
}

type Parts = Awaited<ReturnType<typeof createParts>>;

/** The parts of the feature, each given those that it stands on. */
async function createParts(
  platform: App,
  { records }: PaymentFeatures,
  httpClient: Stripe.HttpClient | undefined,
) {
  const alarms = createAlarms(platform);
  const chosen = await chooseProvider(platform, {
    httpClient,
    onFault: (kind, detail) => alarms.note({ kind, about: '', detail }),
  });
  const { provider } = chosen;
  const terms = termsOf(platform.env, provider.kind);
  const context = { platform, records, provider, alarms, terms };
  const cards = createCards(context);
  const accounts = createAccounts(context);
  const authorizations = createAuthorizations({ ...context, cards, accounts });
  const chargebacks = createChargebacks(context);
  const books = createBooks(platform, provider);
  const webhooks = createWebhooks({ ...context, authorizations, cards, accounts, chargebacks });
  const reconcile = createReconciliation({ ...context, authorizations, books });
  const claims = createClaims(context);
  return {
    context,
    chosen,
    cards,
    accounts,
    authorizations,
    chargebacks,
    books,
    webhooks,
    reconcile,
    claims,
  };
}

/** What the features above ask for, most of it in their own transactions. */
const verbsOfFeatures = ({ context, cards, accounts, authorizations, claims }: Parts) => ({
  plan: authorizations.plan,
  reprice: authorizations.reprice,
  follow: authorizations.follow,
  isSecured: authorizations.isSecured,
  readBeforeEnd: authorizations.readBeforeEnd,
  settle: authorizations.settle,
  /** A booking goes on after all: what was settled is undone, and a claim about it is closed. */
  async resume(tx: Db, bookingId: string, amountCents: number): Promise<void> {
    if (await authorizations.resume(tx, bookingId, amountCents)) await claims.closeMoot(tx, bookingId);
  },
  contest: claims.contest,
  decideBy: claims.decideBy,
  settlePartWay: claims.settlePartWay,
  current: (tx: Db, bookingId: string) => currentAuthorization(tx, bookingId),
  views: bindCommand(context, paymentsOfBookings),
  isAccountReady: accounts.isReady,
  hasCardFor: async (tx: Db, passengerId: string, at: Date) =>
    (await cards.toPayWith(tx, passengerId, at)) !== null,
  /** What canceling at an instant costs. */
  cancelFee: (booking: Parameters<typeof cancelFee>[0], at: Date) =>
    cancelFee(booking, at, context.terms.cancel),
  noShowFee: (fareCents: number) => noShowFee(fareCents, context.terms.cancel),
  /** What keeps a passenger from paid rides: a debt, or a payment that a bank took back or warns of. */
  standing: standingOf,
  /** What has to be settled before an account can go. */
  unsettledOf,
  /** Does at once what is due for one booking, after the transaction that wanted it. */
  workOn: authorizations.workOn,
  replaceRefused: authorizations.replaceRefused,
  forgetCustomer: cards.forget,
});

/** What passengers, drivers and admins ask for. */
const verbsOfPeople = ({ context, cards, accounts, authorizations, chargebacks, books, claims }: Parts) => {
  const money = { ...context, books, chargebacks };
  return {
    authorize: authorizations.pay,
    cards: cards.list,
    addCard: cards.begin,
    chooseCard: cards.choose,
    removeCard: cards.remove,
    account: accounts.show,
    onboardLink: accounts.onboardLink,
    receipts: bindCommand(context, listReceipts),
    earnings: bindCommand(context, listEarnings),
    openClaim: claims.open,
    answerClaim: claims.answer,
    resolveClaim: claims.resolve,
    listClaims: claims.list,
    listMoney: bindCommand(money, listMoney),
    writeOffDebt: bindCommand(context, writeOffDebt),
    listHolds: bindCommand(money, listOpenAuthorizations),
    endAlarm: bindCommand(money, endAlarm),
    clearChargeback: bindCommand(money, clearChargeback),
    answerChargeback: bindCommand(money, answerChargeback),
  };
};

/** What happens by the clock, or as the provider posts an event. */
const verbsOfClock = ({
  context,
  chosen,
  accounts,
  authorizations,
  chargebacks,
  books,
  webhooks,
  reconcile,
  claims,
}: Parts) => ({
  /** A webhook's body; false when it is not the provider's. */
  receive: webhooks.receive,
  async work() {
    await claims.cancelUndecided();
    await authorizations.endTestMoney();
    await authorizations.work();
    await chargebacks.work();
  },
  isWorkDue: (now: Date): SQL =>
    sql`${authorizations.isDue(now)} or ${chargebacks.isDue(now)} or ${claims.isDue(now)}`,
  writeAlarms: () => context.alarms.writeNoted(),
  playSandbox: chosen.catchUp,
  isSandboxDue: chosen.isDue,
  lookForEvents: async () => {
    await webhooks.catchUp();
    await chargebacks.readWithoutPayment();
    await accounts.readDue();
    await books.book();
  },
  reconcile,
  /**
   * Whether the ledger says what the provider's balance says, its fees, payouts and chargebacks included, and
   * what payments and provider have not both booked yet. Null while the provider does not answer. Tests and
   * histories check it as an invariant.
   */
  ledgerEqualsProvider: books.compare,
});

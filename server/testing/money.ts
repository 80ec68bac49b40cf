import { onboardLink, paymentAccount, paymentMethods, setupIntent } from '#contract/payments/endpoints.ts';
import type { SavedCard } from '#contract/payments/views.ts';
import type { BuiltApp } from '../app.ts';
import { withObjects, type KeptObjects } from '../../stripe-sandbox/kept-objects.ts';
import { book } from '../../stripe-sandbox/money.ts';
import { newId } from '../../stripe-sandbox/objects.ts';
import type { CallingApp } from './calling-app.ts';
import type { TestPerson } from './people.ts';
import { createVehicle } from '../features/drivers/vehicles/vehicles.ts';
import { beginCard, listCards } from '../features/payments/cards/manage-cards.ts';
import { linkToOnboarding, showAccount } from '../features/payments/accounts/driver-account.ts';

/** Stripe's public test numbers, by what their cards do. */
export const testNumbers = {
  good: '4242424242424242',
  asksAlways: '4000002760003184',
  /** Saved without trouble, refused when it is charged. */
  refusedOnCharge: '4000000000000341',
} as const;

/** The same, of cards that are charged and then objected to. */
export const objectedNumbers = {
  /** The holder tells their bank that it was not them, or that they got nothing. */
  disputedAsFraud: '4000000000000259',
  disputedAsNotReceived: '4000000000002685',
  /** The bank warns that it may be fraud. */
  warnedOf: '4000000000005423',
} as const;

/** Answers a page of the test provider, as a person in a browser would. */
export async function answerPage(
  app: Pick<CallingApp, 'http'>,
  url: string,
  form: Record<string, string>,
): Promise<string> {
  const { pathname, search } = new URL(url);
  const answer = await app.http.inject({
    method: 'POST',
    url: `${pathname}${search}`,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (answer.statusCode !== 303) throw new Error(`${pathname} answered ${answer.statusCode}: ${answer.body}`);
  return String(answer.headers.location);
}

/** Saves a card on the hosted page; the newest of the person's cards. */
export async function addCard(
  app: CallingApp,
  who: TestPerson,
  number: string = testNumbers.good,
): Promise<SavedCard> {
  const { pageUrl } = await app.ok(who, setupIntent, {});
  let to = await answerPage(app, pageUrl!, { number, expiry: '12/34', cvc: '123' });
  // Some cards ask their holder first.
  if (to.includes('/test-money/')) to = await answerPage(app, to, { answer: 'yes' });
  return (await app.ok(who, paymentMethods, {})).methods[0]!;
}

/** Has the card provider review a driver's papers. */
export async function onboard(
  app: CallingApp,
  who: TestPerson,
  outcome: 'verified' | 'restricted' | 'rejected' = 'verified',
): Promise<void> {
  const { url } = await app.ok(who, onboardLink, {});
  await answerPage(app, url, { outcome });
  await app.ok(who, paymentAccount, {});
}

/**
 * The same without a call over HTTP, for an app without signed-in people: saves a card and returns its id.
 */
export async function saveCard(
  app: BuiltApp,
  userId: string,
  { number = testNumbers.good, expiry = '12/34' }: { number?: string; expiry?: string } = {},
): Promise<string> {
  const { pageUrl } = await beginCard(app.platform, userId, '');
  const to = await answerPage(app, pageUrl!, { number, expiry, cvc: '123' });
  if (to.includes('/test-money/')) await answerPage(app, to, { answer: 'yes' });
  return (await listCards(app.platform, userId)).methods[0]!.id;
}

/** A driver who can be paid: their papers are accepted, and they have a car with four seats; its id. */
export async function makeDriver(app: BuiltApp, userId: string): Promise<string> {
  const { url } = await linkToOnboarding(app.platform, userId);
  await answerPage(app, url, { outcome: 'verified' });
  await showAccount(app.platform, userId);
  const plate = userId.slice(0, 7).toUpperCase();
  const car = { brand: 'Toyota', model: 'Prius', type: 'hatchback', year: 2021, color: 'blue' } as const;
  return (await createVehicle(app.platform, userId, { plate, ...car, seats: 4 })).id;
}

/**
 * Pays `amountCents` of the operator's own money into the platform's balance at the test provider; below
 * zero, out of it.
 */
export async function payIn({ platform }: Pick<BuiltApp, 'platform'>, amountCents: number): Promise<void> {
  const payInWith = async (objects: KeptObjects) =>
    book(
      {
        objects,
        now: platform.clock.now(),
        account: '',
        pagesUrl: '',
        requestId: null,
        idempotencyKey: null,
        hasWebhook: false,
        apiVersion: '',
      },
      {
        account: '',
        type: amountCents < 0 ? 'payout' : 'topup',
        amountCents,
        sourceId: newId('payout'),
        settlesLater: false,
      },
    );
  await platform.transact('pay in', (tx) => withObjects(tx, payInWith));
}

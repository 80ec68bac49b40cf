import type { BuiltApp } from '../app.ts';
import { people } from './people.ts';
import { personId, several } from './seed-context.ts';
import { beginCard, listCards, linkToOnboarding, showAccount } from '../features/payments/service.ts';

const atATime = 4;
/** Stripe's public test card that always pays. */
const card = { number: '4242424242424242', expiry: '12/34', cvc: '123' };

/**
 * Gives each person a test card, and drivers an account that can be paid, on the pages of the sandbox as a
 * person would. False with Stripe itself, where accounts cannot be made up: the community's rides are free
 * then.
 */
export async function openPurses(app: BuiltApp): Promise<boolean> {
  if (app.platform.payments.sandbox === null) return false;
  await several(people, atATime, async ({ key, car }) => {
    const id = personId(key);
    const { pageUrl } = await beginCard(app.platform, id, '/pages/account/payments');
    await answer(app, pageUrl!, card);
    await listCards(app.platform, id);
    if (car === null) return;
    await answer(app, (await linkToOnboarding(app.platform, id)).url, { outcome: 'verified' });
    await showAccount(app.platform, id);
  });
  return true;
}

async function answer(app: BuiltApp, url: string, form: Record<string, string>): Promise<void> {
  const { pathname, search } = new URL(url);
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: `${pathname}${search}`,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (statusCode !== 303) throw new Error(`A page of test money answered ${statusCode}.`);
}

import type { SecondFactor } from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { passkeyHost } from './ceremonies.ts';
import * as store from './store.ts';
import { viewFactors } from './view.ts';

/** A person's second factors, whether they must have one, and where passkeys work. */
export async function readSecondFactor(
  { db, env }: App,
  { userId, staffRole }: Caller,
): Promise<SecondFactor> {
  const isRequired = staffRole !== null && !env.DEMO;
  return viewFactors(await store.factorsOf(db, userId), { isRequired, passkeysFor: passkeyHost(env) });
}

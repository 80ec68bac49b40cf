import type { Platform } from '../../platform/platform.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { forgetFailedDeliveries } from '../../platform/events/failed-deliveries.ts';
import { dropSignedOut } from '../../platform/messages/push-devices.ts';
import { remind } from './remind.ts';
import { forgetNews } from './store.ts';
import { tellMessages } from './tell-messages.ts';
import { isSignedIn } from '../identity/queries.ts';

const rememberedMs = 60 * dayMs;
const forgottenAtOnce = 5000;
const undeliveredMs = 30 * dayMs;

/**
 * What the clock tells by itself. All of it is read from the tables, so that a restart or a jump neither
 * loses nor repeats it.
 */
export const createTimedNotices = (
  context: Parameters<typeof remind>[0] & Parameters<typeof tellMessages>[0],
) => ({
  remind: remind.bind(null, context),
  tellMessages: tellMessages.bind(null, context),
  clearOld: clearOld.bind(null, context.platform),
});

/** Forgets what is long past, and devices whose sign-in is over. */
async function clearOld({ db, clock }: Platform): Promise<void> {
  const now = clock.now();
  // A little at a time: a person who reads or is told of news meanwhile does not wait for a year of them.
  while ((await forgetNews(db, later(now, -rememberedMs), forgottenAtOnce)) === forgottenAtOnce);
  await forgetFailedDeliveries(db, later(now, -undeliveredMs));
  await dropSignedOut(db, (family) => isSignedIn(family, now));
}

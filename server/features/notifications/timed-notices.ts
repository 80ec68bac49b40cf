import { keptMs } from '#contract/privacy/retention.ts';
import type { Platform } from '../../platform/platform.ts';
import { later } from '../../platform/clock.ts';
import { forgetFailedDeliveries } from '../../platform/events/failed-deliveries.ts';
import { dropSignedOut } from '../../platform/messages/push-devices.ts';
import { remind } from './remind.ts';
import { forgetNews } from './store.ts';
import { createTellMessages } from './tell-messages.ts';
import { isSignedIn } from '../identity/queries.ts';

/**
 * Notifications by scheduled tasks. They depend only on the tables, so that a restart or a clock jump neither
 * loses nor repeats one.
 */
export const createTimedNotices = (
  context: Parameters<typeof remind>[0] & Parameters<typeof createTellMessages>[0],
) => ({
  remind: remind.bind(null, context),
  tellMessages: createTellMessages(context),
  clearOld: clearOld.bind(null, context.platform),
});

/** Deletes old notifications, and devices whose sign-in has ended. */
async function clearOld({ db, clock }: Platform): Promise<void> {
  const now = clock.now();
  await forgetNews(db, later(now, -keptMs('news')));
  await forgetFailedDeliveries(db, later(now, -keptMs('undelivered')));
  await dropSignedOut(db, (family) => isSignedIn(family, now));
}

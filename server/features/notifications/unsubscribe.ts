import {
  notificationKinds,
  type NotificationChoices,
  type NotificationKind,
} from '#contract/notifications/endpoints.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { NotificationContext } from './context.ts';
import * as store from './store.ts';

/**
 * Stops emails of one kind, or of all, for the person in an email's signed token. Refuses
 * `notification.linkOver`.
 */
export async function unsubscribe(
  { identity, platform: { db, transact, clock, signedTokens } }: NotificationContext,
  { kind, code, all }: { kind: NotificationKind; code: string; all: boolean },
): Promise<void> {
  const [userId] = (await signedTokens.verify(`unsubscribe ${kind}`, code)) ?? [];
  const known = userId !== undefined && (await identity.contactDetails([userId])).has(userId);
  if (!known) throw new Refusal('notification.linkOver', 'This link no longer works.', { code: 404 });
  const chosen = await store.choicesOf(db, userId);
  const ended = (each: NotificationKind) => (all || each === kind ? false : chosen.kinds[each].email);
  const kinds = Object.fromEntries(
    notificationKinds.map((each) => [each, { ...chosen.kinds[each], email: ended(each) }]),
  ) as NotificationChoices['kinds'];
  await transact((tx) => store.keepChoices(tx, userId, { ...chosen, kinds }, clock.now()));
}

import {
  notificationKinds,
  type NotificationChoices,
  type NotificationKind,
} from '#contract/notifications/endpoints.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { NotificationContext } from './context.ts';
import * as store from './store.ts';
import { contactDetailsOf } from '../identity/service.ts';

/**
 * Stops emails of one kind, or of all, for the person in an email's signed token. Refuses
 * `notification.linkOver`.
 */
export async function unsubscribe(
  { platform }: NotificationContext,
  { kind, code, all }: { kind: NotificationKind; code: string; all: boolean },
): Promise<void> {
  const [userId] = (await platform.signedTokens.verify(`unsubscribe ${kind}`, code)) ?? [];
  const known = userId !== undefined && (await contactDetailsOf(platform, [userId])).has(userId);
  if (!known) throw new Refusal('notification.linkOver', 'This link no longer works.', { code: 404 });
  const chosen = await store.choicesOf(platform.db, userId);
  const ended = (each: NotificationKind) => (all || each === kind ? false : chosen.kinds[each].email);
  const kinds = Object.fromEntries(
    notificationKinds.map((each) => [each, { ...chosen.kinds[each], email: ended(each) }]),
  ) as NotificationChoices['kinds'];
  await platform.transact((tx) => store.keepChoices(tx, userId, { ...chosen, kinds }, platform.clock.now()));
}

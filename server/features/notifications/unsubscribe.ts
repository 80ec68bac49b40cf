import {
  notificationKinds,
  type NotificationChoices,
  type NotificationKind,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { contactDetailsOf } from '../identity/service.ts';
import * as store from './store.ts';

/**
 * Stops emails of one kind, or of all, for the person in an email's signed token. Refuses
 * `notification.linkOver`.
 */
export async function unsubscribe(
  app: App,
  { kind, code, all }: { kind: NotificationKind; code: string; all: boolean },
): Promise<void> {
  const [userId] = (await app.signedTokens.verify(`unsubscribe ${kind}`, code)) ?? [];
  const known = userId !== undefined && (await contactDetailsOf(app, [userId])).has(userId);
  if (!known) throw new Refusal('notification.linkOver', 'This link no longer works.', { code: 404 });
  const chosen = await store.choicesOf(app.db, userId);
  const ended = (each: NotificationKind) => (all || each === kind ? false : chosen.kinds[each].email);
  const kinds = Object.fromEntries(
    notificationKinds.map((each) => [each, { ...chosen.kinds[each], email: ended(each) }]),
  ) as NotificationChoices['kinds'];
  await app.transact('unsubscribe', (tx) =>
    store.keepChoices(tx, userId, { ...chosen, kinds }, app.clock.now()),
  );
}

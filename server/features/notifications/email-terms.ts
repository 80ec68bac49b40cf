import type { NotificationKind } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { devicesOf } from '../../platform/messages/push-devices.ts';
import { isSignedIn } from '../identity/queries.ts';
import { mayFollowPushAt, mayGoOutAt } from './rules/quiet-hours.ts';
import { choicesOf, lastPush } from './store.ts';
import { waitMs } from './tell-people.ts';

/** The subject of an email that another feature sends instead of a notification's. */
interface EmailAbout {
  userId: string;
  kind: NotificationKind;
  /** The thing of the notification. */
  thing: string;
  /** The instant of the oldest event that the email reports. */
  since: Date;
}

/**
 * The terms of an email of a kind that sends its own: if the person wants it, its earliest time, and the time
 * of the last push message about its thing. Events until then need no email. `pushedAt` is null without such
 * a push message, or if the person chose both.
 */
export async function emailTerms(
  tx: Db,
  { userId, kind, thing, since }: EmailAbout,
  now: Date,
): Promise<{ isWanted: boolean; mayGoOutAt: Date; pushedAt: Date | null }> {
  const chosen = await choicesOf(tx, userId);
  const { agreed, kinds, quietHours, emailsBesidePush } = chosen;
  const isWanted = agreed && kinds[kind].email;
  const endsQuietAt = mayGoOutAt(quietHours, now);
  if (emailsBesidePush) return { isWanted, mayGoOutAt: endsQuietAt, pushedAt: null };
  const pushedAt = await lastPush(tx, { userId, thing, since });
  const devices = kinds[kind].push ? await devicesOf(tx, userId, (family) => isSignedIn(family, now)) : [];
  const followsAt = mayFollowPushAt(quietHours, since, { pauseMs: waitMs.email });
  const waits = devices.length > 0 && followsAt > endsQuietAt;
  return { isWanted, mayGoOutAt: waits ? followsAt : endsQuietAt, pushedAt };
}

import type { NotificationKind } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import type { NotificationContext } from './context.ts';
import { completeChoices } from './rules/choices.ts';
import { mayGoOutAt } from './rules/quiet-hours.ts';
import { noteLeft, sendDue } from './send-notices.ts';
import { choicesOf } from './store.ts';
import { tellPerson } from './tell-person.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

/** News for one person: written down, and sent out of the app as they have chosen. */
export const createNotifier = (context: NotificationContext) => ({
  endingOf: unsubscribeLinks.bind(null, context),
  letterTerms: emailTerms,
  tell: tellPerson.bind(null, context),
  sendDue: sendDue.bind(null, context),
  noteLeft: noteLeft.bind(null, context),
});

/** How a person wants emails of a kind that writes its own: at all, and not before when. */
async function emailTerms(
  tx: Db,
  userId: string,
  kind: NotificationKind,
  now: Date,
): Promise<{ isWanted: boolean; mayGoOutAt: Date }> {
  const chosen = completeChoices(await choicesOf(tx, userId));
  return { isWanted: chosen.kinds[kind].email, mayGoOutAt: mayGoOutAt(chosen.quietHours, now) };
}

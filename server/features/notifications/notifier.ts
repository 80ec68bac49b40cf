import type { NotificationKind } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { completeChoices } from './rules/choices.ts';
import { mayGoOutAt } from './rules/quiet-hours.ts';
import { noteLeft, sendDue } from './send-notices.ts';
import { choicesOf } from './store.ts';
import { tellPerson, writing, type TellingContext } from './tell-people.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

/** Notifications for one person: stored, and sent on the channels they have chosen. */
export const createNotifier = (context: TellingContext) => ({
  endingOf: unsubscribeLinks.bind(null, context),
  letterTerms: emailTerms,
  tell: tellPerson.bind(null, context),
  writing: writing.bind(null, context),
  sendDue: sendDue.bind(null, context),
  noteLeft: noteLeft.bind(null, context),
});

/** Whether a person wants emails of a kind that sends its own, and the earliest time for them. */
async function emailTerms(
  tx: Db,
  userId: string,
  kind: NotificationKind,
  now: Date,
): Promise<{ isWanted: boolean; mayGoOutAt: Date }> {
  const chosen = completeChoices(await choicesOf(tx, userId));
  return { isWanted: chosen.kinds[kind].email, mayGoOutAt: mayGoOutAt(chosen.quietHours, now) };
}

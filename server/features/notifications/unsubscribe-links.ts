import type { NotificationKind } from '#contract/notifications/endpoints.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { Email } from '../../platform/messages/email.ts';
import type { NotificationContext } from './context.ts';

/** An email's link ends its kind for so long after it was written. */
const linkLifeMs = 400 * dayMs;

/**
 * Where an email's reader ends its kind without signing in: on a page, and by one click in the mail program.
 */
export async function unsubscribeLinks(
  { platform: { clock, env, signedTokens } }: Pick<NotificationContext, 'platform'>,
  kind: NotificationKind,
  userId: string,
): Promise<Email['unsubscribe']> {
  const code = await signedTokens.sign(`unsubscribe ${kind}`, [userId], later(clock.now(), linkLifeMs));
  const query = `kind=${kind}&code=${code}`;
  return {
    page: `${env.publicUrl}/pages/account/unsubscribe?${query}`,
    oneClick: `${env.publicUrl}/notification/one-click?${query}`,
  };
}

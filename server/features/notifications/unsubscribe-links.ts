import type { NotificationKind } from '#contract/notifications/endpoints.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { Email } from '../../platform/messages/email.ts';
import type { App } from '../../app-type.ts';

/** How long an email's unsubscribe link works. */
const linkLifeMs = 400 * dayMs;

/**
 * Links by which an email's reader unsubscribes from its kind without signing in: a page, and one click in
 * the mail program.
 */
export async function unsubscribeLinks(
  { clock, env, signedTokens }: App,
  kind: NotificationKind,
  userId: string,
): Promise<Email['unsubscribe']> {
  const code = await signedTokens.sign(`unsubscribe ${kind}`, [userId], later(clock.now(), linkLifeMs));
  const query = `kind=${kind}&code=${code}`;
  return {
    kind,
    page: `${env.publicUrl}/pages/account/unsubscribe?${query}`,
    oneClick: `${env.publicUrl}/notification/one-click?${query}`,
  };
}

import type { OutputOf } from '#contract/define.ts';
import type { readOutbox } from '#contract/demo/endpoints.ts';
import type { App } from '../../app-type.ts';
import { newestMessages } from '../../platform/messages/built-in-outbox.ts';
import * as store from './store.ts';

const mostEmails = 100;

/**
 * The latest emails, the newest first. A demo that other machines can reach leaves out those to admins: with
 * a password reset code any visitor could enter the admin's account.
 */
export async function listEmails({ db, env }: App): Promise<OutputOf<typeof readOutbox>['letters']> {
  const rows = await newestMessages(db, {
    most: mostEmails,
    condition: (recipient) => (env.isPublicDemo ? store.isNotOfStaff(recipient) : undefined),
  });
  return rows.map(({ id, recipient, subject, body, page, at }) => ({
    id,
    to: recipient,
    subject,
    text: body,
    page,
    at: at.toISOString(),
  }));
}

import { sql } from 'drizzle-orm';
import type { NotificationChoices } from '#contract/notifications/endpoints.ts';
import { namedStatement } from '../../../platform/database/db.ts';
import type { KeptStatements } from '../../../platform/database/kept-statements.ts';
import { hasDevice } from '../../../platform/messages/push-devices.ts';
import { hasVerifiedPhone, isSignedIn } from '../../identity/queries.ts';
import { orderFactsOf } from '../../orders/facts/queries.ts';
import type { Draft } from '../drafts.ts';

/** The recipient of a drafted notification, with the facts of the order it is about. */
export interface RecipientRow extends Record<string, unknown> {
  /** Which of the drafts, from 1. */
  n: number;
  choices: NotificationChoices | null;
  /** Null where the account is gone. */
  hasVerifiedPhone: boolean | null;
  hasDevice: boolean;
  /** For `factsFrom`. */
  order: unknown;
}

const given = (name: string) => sql.placeholder(name);
const order = orderFactsOf({
  rideId: sql`given.ride_id`,
  bookingId: sql`given.booking_id`,
  requestId: sql`given.request_id`,
  personId: sql`given.user_id`,
});
const reading = namedStatement(sql`
  select given.n::int as n, settings.choices, ${hasVerifiedPhone(sql`given.user_id`)} as "hasVerifiedPhone",
    ${hasDevice(sql`given.user_id`, (family) => isSignedIn(family, given('now')))} as "hasDevice", ${order} as "order"
  from unnest(${given('userIds')}::uuid[], ${given('rideIds')}::uuid[], ${given('bookingIds')}::uuid[],
    ${given('requestIds')}::uuid[]) with ordinality as given (user_id, ride_id, booking_id, request_id, n)
  left join notification_settings settings on settings.user_id = given.user_id
  order by given.n`);

/** Reads who drafts go to and what they are about, in one statement, in the order of the drafts. */
export async function readRecipients(
  kept: Pick<KeptStatements, 'read'>,
  drafts: readonly Draft[],
  now: Date,
): Promise<RecipientRow[]> {
  if (drafts.length === 0) return [];
  const ids = (of: (draft: Draft) => string | undefined) => drafts.map((draft) => of(draft) ?? null);
  // Facts that the draft brings are not read.
  const orderOf = (draft: Draft) => ('of' in draft && draft.order === undefined ? draft.of : undefined);
  const rideOf = (draft: Draft) => {
    const of = orderOf(draft);
    return of !== undefined && 'rideId' in of ? of : undefined;
  };
  const requestOf = (draft: Draft) => {
    const of = orderOf(draft);
    return of !== undefined && 'requestId' in of ? of.requestId : undefined;
  };
  return kept.read<RecipientRow>(
    reading({
      userIds: ids(({ userId }) => userId),
      rideIds: ids((draft) => rideOf(draft)?.rideId),
      bookingIds: ids((draft) => rideOf(draft)?.bookingId),
      requestIds: ids(requestOf),
      now: now.toISOString(),
    }),
  );
}

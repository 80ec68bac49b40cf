import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OrdersService } from '../orders/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import type { NewsFacts } from './rules/notification-texts.ts';
import type { NewsRow } from './store.ts';
import type { UpperSources } from './sources/store.ts';

/** The features that news is made of. */
export interface NotificationFeatures {
  identity: IdentityService;
  orders: OrdersService;
  payments: PaymentsService;
  upper: UpperSources;
}

/** What every command about notifications works with. */
export interface NotificationContext extends NotificationFeatures {
  platform: Platform;
}

/** What a piece of news is about, for one person. */
export interface About {
  /** The same source tells a person once. */
  source: string;
  /** News of one thing takes each other's place on a device. */
  thing: string;
  otherId: string | null;
  facts: NewsFacts;
  path: string;
  /** When it is worth nothing any more: it goes out in quiet hours rather than after this. */
  tooLateAt?: Date;
  /**
   * After it nothing is sent any more, however long the server or the queue was behind: it stands in the app
   * alone.
   */
  goodUntil?: Date;
  /** It grows while nobody reads it, and a device hears of it again. */
  grows?: boolean;
  /**
   * It takes the place of what its source has told before: as new, or as read for the person who has done it.
   */
  replaces?: 'asNew' | 'asRead';
  /** So long an email waits that goes out whatever is chosen. */
  emailsAfterMs?: number;
}

/** The names of the people whom news is about, by id. */
export async function namesOf(
  identity: IdentityService,
  rows: readonly NewsRow[],
): Promise<Map<string | null, string>> {
  const people = await identity.people([...new Set(rows.flatMap(({ otherId }) => otherId ?? []))]);
  return new Map([...people].map(([id, { name }]) => [id, name]));
}

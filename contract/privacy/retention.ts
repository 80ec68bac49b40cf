/*
 * Which personal data the server keeps, and for how long. The privacy page shows this table, a person's
 * export includes it, and the jobs that delete data read their times from it.
 */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

interface Retention {
  /** The database tables that hold the data. */
  tables: readonly string[];
  /** In milliseconds; `account`: until the account is deleted; `law`: as long as payment law requires. */
  kept: number | 'account' | 'law';
  /** When the time in `kept` begins; null unless it is a number. */
  since: 'written' | 'valid' | 'used' | 'rideEnded' | 'handled' | null;
  /**
   * The end of its retention: the server deletes the data, removes the name, or also reduces places to areas.
   */
  ending: 'deleted' | 'nameless' | 'area';
  /** Whether a person's export includes the data. */
  exported: boolean;
}

/** The cookies that the server sets, and for how long a browser keeps each; the privacy page names them. */
export const cookieSeconds = {
  /** Until the sign-up that this browser began is complete. */
  'sameway-signup': dayMs / 1000,
  /** Until the person is back from the sign-in provider that this browser led to. */
  'sameway-oauth': (10 * minuteMs) / 1000,
};
export type CookieName = keyof typeof cookieSeconds;

/** In the order of the privacy page. */
export const retention = {
  profile: {
    tables: ['users', 'notification_settings', 'consents', 'federated_identities', 'devices', 'push_devices'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  secondFactors: {
    tables: ['totp_secrets', 'passkeys', 'recovery_codes'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  apiKeys: { tables: ['api_keys'], kept: 'account', since: null, ending: 'deleted', exported: true },
  directory: {
    tables: ['directory_users', 'directory_members', 'sign_in_groups', 'directory_roles'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  signups: { tables: ['signups'], kept: dayMs, since: 'written', ending: 'deleted', exported: false },
  /** Each row has its own expiry; the next round of the job deletes expired ones. */
  codes: {
    tables: ['email_codes', 'sign_in_tickets', 'passkey_challenges', 'oauth_attempts', 'tries'],
    kept: 10 * minuteMs,
    since: 'valid',
    ending: 'deleted',
    exported: false,
  },
  sessions: { tables: ['sessions'], kept: 30 * dayMs, since: 'valid', ending: 'deleted', exported: true },
  signIns: { tables: ['sign_ins'], kept: 60 * dayMs, since: 'used', ending: 'deleted', exported: true },
  repeats: { tables: ['idempotency'], kept: dayMs, since: 'written', ending: 'deleted', exported: false },
  positions: {
    tables: ['ride_positions', 'rider_positions'],
    kept: 360 * minuteMs,
    since: 'written',
    ending: 'deleted',
    exported: true,
  },
  sharedTrips: {
    tables: ['trip_shares'],
    kept: dayMs,
    since: 'rideEnded',
    ending: 'deleted',
    exported: true,
  },
  rides: {
    tables: [
      'rides',
      'ride_stops',
      'requests',
      'bookings',
      'waitlist',
      'change_proposals',
      'change_answers',
      'move_history',
      'order_spans',
      'recurring_rides',
      'recurring_days',
      'share_links',
      'order_grants',
      'events',
      'event_places',
      'rebooking_emails',
      'interrupted_rides',
      'interrupted_bookings',
    ],
    kept: 'account',
    since: null,
    ending: 'area',
    exported: true,
  },
  troubles: {
    tables: ['ride_questions', 'contact_attempts', 'driver_reports', 'strikes', 'alarms'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  chats: {
    tables: ['chat_members', 'chat_messages'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  reviews: { tables: ['reviews'], kept: 'account', since: null, ending: 'deleted', exported: true },
  contacts: {
    tables: ['contacts', 'contact_applications', 'tags', 'tagged_contacts', 'blocks', 'trusted_contacts'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  places: {
    tables: ['shortcuts', 'alerts', 'alert_windows', 'alert_hits'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  commutes: {
    tables: ['commutes', 'commutes_due'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: false,
  },
  vehicles: {
    tables: ['vehicles', 'licenses'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  pictures: { tables: ['pictures'], kept: 'account', since: null, ending: 'deleted', exported: true },
  unusedPictures: { tables: [], kept: dayMs, since: 'written', ending: 'deleted', exported: false },
  dataExports: {
    tables: ['data_exports'],
    kept: 7 * dayMs,
    since: 'written',
    ending: 'deleted',
    exported: false,
  },
  news: {
    tables: ['notifications', 'notification_deliveries'],
    kept: 60 * dayMs,
    since: 'written',
    ending: 'deleted',
    exported: true,
  },
  undelivered: {
    tables: ['failed_deliveries'],
    kept: 30 * dayMs,
    since: 'written',
    ending: 'deleted',
    exported: false,
  },
  cards: {
    tables: ['payers', 'cards', 'payment_accounts'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  money: {
    tables: ['authorizations', 'claims', 'chargebacks', 'fraud_warnings', 'payment_alarms'],
    kept: 'law',
    since: null,
    ending: 'nameless',
    exported: true,
  },
  moneyNews: {
    tables: ['provider_events'],
    kept: 60 * dayMs,
    since: 'handled',
    ending: 'deleted',
    exported: false,
  },
  webhookLog: {
    tables: ['webhook_deliveries'],
    kept: 30 * dayMs,
    since: 'written',
    ending: 'deleted',
    exported: false,
  },
  helpdesk: {
    tables: ['feedback', 'person_reports', 'reported_messages', 'tickets', 'ticket_messages'],
    kept: 'account',
    since: null,
    ending: 'deleted',
    exported: true,
  },
  readings: {
    tables: ['admin_readings', 'admin_reading_people'],
    kept: 365 * dayMs,
    since: 'written',
    ending: 'deleted',
    exported: true,
  },
  deeds: {
    tables: ['admin_actions', 'announcements', 'canned_answers'],
    kept: 'account',
    since: null,
    ending: 'nameless',
    exported: true,
  },
  signals: { tables: ['event_log'], kept: 7 * dayMs, since: 'written', ending: 'deleted', exported: false },
} as const satisfies Record<string, Retention>;

export type RetentionKind = keyof typeof retention;

/** The kinds that a job deletes after a fixed time. */
export type TimedKind = {
  [K in RetentionKind]: (typeof retention)[K]['kept'] extends number ? K : never;
}[RetentionKind];

export const keptMs = (kind: TimedKind): number => retention[kind].kept;

/** An age in the largest unit of which it is a whole number. */
export function ageOf(milliseconds: number): { count: number; unit: 'minute' | 'hour' | 'day' } {
  for (const [unit, size] of [
    ['day', dayMs],
    ['hour', 60 * minuteMs],
  ] as const)
    if (milliseconds % size === 0) return { count: milliseconds / size, unit };
  return { count: milliseconds / minuteMs, unit: 'minute' };
}

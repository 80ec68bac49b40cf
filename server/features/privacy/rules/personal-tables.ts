export interface PersonalTable {
  table: string;
  /** Columns that refer to the person, each by the person's id. */
  columns: readonly string[];
  /**
   * Columns that the export leaves out: secrets of the app, not facts about the person. Null: not in the
   * export.
   */
  hidden: readonly string[] | null;
  /**
   * The rows stand in rooms that the person was in, or belong to orders that they took part in: found by
   * these, without an index on the person that every line and move would have to be written to.
   */
  within?: 'rooms' | 'orders';
  /** Where each row has an order that the person took part in: rows `within` orders are found by these. */
  orderColumn?: 'id' | 'ride_id';
  /**
   * The rows are deleted or blanked with those of another entry, or hold nothing personal; the table's owner
   * erases all others.
   */
  erasedElsewhere?: true;
}

/** Progress of the work on an authorization. */
const authorizationWork = [
  'version',
  'facts_version',
  'lease_ends_at',
  'leased_version',
  'keys_used',
  'compared_version',
  'compared_at',
];

/**
 * Every table that refers to a person, with the columns in their export, in the order in which the tables'
 * owners erase them (`erasure` in their stores). A test compares this with the database and fails if a table
 * is missing here.
 */
export const personalTables: readonly PersonalTable[] = [
  {
    table: 'sessions',
    columns: ['user_id'],
    hidden: ['access_hash', 'refresh_hash', 'address_hash', 'parent_id'],
  },
  { table: 'sign_ins', columns: ['user_id'], hidden: [] },
  { table: 'totp_secrets', columns: ['user_id'], hidden: ['secret', 'last_step'] },
  { table: 'passkeys', columns: ['user_id'], hidden: ['credential_id', 'public_key', 'counter'] },
  { table: 'recovery_codes', columns: ['user_id'], hidden: ['code_hash'] },
  { table: 'passkey_challenges', columns: ['user_id'], hidden: null },
  { table: 'sign_in_tickets', columns: ['user_id'], hidden: null },
  { table: 'api_keys', columns: ['user_id'], hidden: ['key_hash'] },
  { table: 'directory_users', columns: ['user_id'], hidden: [] },
  { table: 'directory_members', columns: ['user_id'], hidden: [] },
  { table: 'sign_in_groups', columns: ['user_id'], hidden: [] },
  { table: 'directory_roles', columns: ['user_id'], hidden: [] },
  { table: 'devices', columns: ['user_id'], hidden: [] },
  { table: 'federated_identities', columns: ['user_id'], hidden: [] },
  { table: 'consents', columns: ['user_id'], hidden: [] },
  { table: 'notification_settings', columns: ['user_id'], hidden: [] },
  { table: 'notifications', columns: ['user_id'], hidden: ['thing', 'source'] },
  { table: 'notifications', columns: ['other_id'], hidden: null },
  { table: 'notification_deliveries', columns: ['user_id'], hidden: [] },
  { table: 'push_devices', columns: ['user_id'], hidden: ['p256dh', 'auth', 'family'] },
  { table: 'idempotency', columns: ['user_id'], hidden: null },
  // The export itself.
  { table: 'data_exports', columns: ['user_id'], hidden: null },
  { table: 'shortcuts', columns: ['owner_id'], hidden: ['shown_within_metres'] },
  { table: 'contacts', columns: ['owner_id'], hidden: [] },
  { table: 'contacts', columns: ['other_id'], hidden: null },
  { table: 'contact_applications', columns: ['from_id', 'to_id'], hidden: [] },
  { table: 'tagged_contacts', columns: ['user_id'], hidden: null },
  { table: 'tags', columns: ['owner_id'], hidden: [] },
  { table: 'blocks', columns: ['blocker_id'], hidden: [] },
  // A person must not see who has blocked them.
  { table: 'blocks', columns: ['blocked_id'], hidden: null },
  { table: 'person_reports', columns: ['reporter_id'], hidden: ['handled_by_id'] },
  { table: 'person_reports', columns: ['subject_id'], hidden: null },
  { table: 'person_reports', columns: ['handled_by_id'], hidden: null },
  // Lines by others around a reported message; the person reported must not see it.
  { table: 'reported_messages', columns: ['sender_id'], hidden: null },
  { table: 'tickets', columns: ['author_id'], hidden: ['assignee_id'] },
  { table: 'tickets', columns: ['assignee_id'], hidden: null },
  { table: 'ticket_messages', columns: ['author_id', 'to_id'], hidden: ['author_id', 'to_id'] },
  { table: 'canned_answers', columns: ['writer_id'], hidden: [] },
  { table: 'feedback', columns: ['author_id'], hidden: [] },
  // The app can only add to it: a trigger clears its rows when the account is emptied.
  { table: 'admin_actions', columns: ['admin_id'], hidden: [], erasedElsewhere: true },
  { table: 'admin_actions', columns: ['person_id'], hidden: null, erasedElsewhere: true },
  { table: 'announcements', columns: ['author_id'], hidden: [] },
  { table: 'admin_readings', columns: ['admin_id'], hidden: [] },
  { table: 'admin_reading_people', columns: ['person_id'], hidden: null },
  { table: 'alerts', columns: ['owner_id'], hidden: ['sameness'] },
  { table: 'events', columns: ['organizer_id'], hidden: ['short_hash'] },
  { table: 'event_places', columns: ['passenger_id', 'driver_id'], hidden: [] },
  { table: 'contact_attempts', columns: ['driver_id'], hidden: [], erasedElsewhere: true },
  { table: 'driver_reports', columns: ['driver_id', 'passenger_id'], hidden: [], erasedElsewhere: true },
  { table: 'ride_questions', columns: ['driver_id', 'passenger_id'], hidden: [], erasedElsewhere: true },
  { table: 'ride_positions', columns: ['driver_id'], hidden: [] },
  { table: 'rider_positions', columns: ['passenger_id'], hidden: [] },
  { table: 'waitlist', columns: ['passenger_id'], hidden: [] },
  { table: 'trip_shares', columns: ['owner_id'], hidden: ['secret_hash'] },
  { table: 'trip_shares', columns: ['to_id'], hidden: null },
  // Derived from other tables.
  { table: 'commutes', columns: ['person_id'], hidden: null },
  { table: 'commutes_due', columns: ['person_id'], hidden: null },
  { table: 'recurring_rides', columns: ['owner_id'], hidden: [] },
  { table: 'share_links', columns: ['owner_id'], hidden: ['code_hash', 'short_hash'] },
  { table: 'order_grants', columns: ['person_id'], hidden: ['link_id'] },
  { table: 'strikes', columns: ['driver_id'], hidden: [] },
  { table: 'interrupted_rides', columns: ['driver_id'], hidden: [] },
  { table: 'trusted_contacts', columns: ['owner_id'], hidden: [] },
  { table: 'alarms', columns: ['person_id'], hidden: [] },
  {
    table: 'change_proposals',
    columns: ['driver_id'],
    // Contains the pick-up and drop-off points of others.
    hidden: ['route'],
  },
  { table: 'payers', columns: ['user_id'], hidden: ['customer_id', 'card_reads'] },
  { table: 'cards', columns: ['user_id'], hidden: ['id', 'provider'] },
  { table: 'payment_accounts', columns: ['user_id'], hidden: ['account_id'] },
  {
    table: 'authorizations',
    columns: ['passenger_id'],
    hidden: ['action_url', 'payment_id', 'card_id', ...authorizationWork],
  },
  {
    table: 'authorizations',
    columns: ['driver_id'],
    hidden: ['action_url', 'payment_id', 'card_id', 'card_label', 'decline_code', ...authorizationWork],
    erasedElsewhere: true,
  },
  { table: 'claims', columns: ['passenger_id'], hidden: ['resolved_by_id'] },
  { table: 'claims', columns: ['driver_id'], hidden: ['resolved_by_id'] },
  { table: 'claims', columns: ['resolved_by_id'], hidden: null },
  { table: 'chargebacks', columns: ['cleared_by_id'], hidden: null },
  { table: 'fraud_warnings', columns: ['cleared_by_id'], hidden: null },
  { table: 'payment_alarms', columns: ['ended_by_id'], hidden: null },
  { table: 'change_answers', columns: ['passenger_id'], hidden: [] },
  { table: 'order_spans', columns: ['person_id'], hidden: null },
  { table: 'chat_members', columns: ['user_id'], hidden: [] },
  { table: 'chat_messages', columns: ['sender_id'], hidden: [], within: 'rooms', erasedElsewhere: true },
  { table: 'reviews', columns: ['author_id'], hidden: [] },
  { table: 'reviews', columns: ['subject_id'], hidden: [] },
  { table: 'move_history', columns: ['actor_id'], hidden: [], within: 'orders' },
  { table: 'bookings', columns: ['passenger_id'], hidden: [], orderColumn: 'ride_id' },
  { table: 'bookings', columns: ['driver_id'], hidden: [] },
  { table: 'requests', columns: ['passenger_id'], hidden: [], orderColumn: 'id' },
  { table: 'rides', columns: ['driver_id'], hidden: [], orderColumn: 'id' },
  { table: 'licenses', columns: ['user_id'], hidden: ['decided_by'] },
  { table: 'licenses', columns: ['decided_by'], hidden: null },
  { table: 'vehicles', columns: ['owner_id'], hidden: [] },
  // The pictures feature deletes the rows with their files.
  { table: 'pictures', columns: ['owner_id'], hidden: ['object_key'], erasedElsewhere: true },
  { table: 'users', columns: ['inviter_id'], hidden: null },
];

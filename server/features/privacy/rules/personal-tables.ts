/** What becomes of a person's rows when the account goes. */
type Erase =
  /** The rows go. */
  | 'delete'
  /** The rows stay, because they are part of somebody else's story; these columns get these SQL values. */
  | Record<string, string>
  /** The rows go or are blanked by another entry of this list, or hold nothing personal. */
  | 'elsewhere';

export interface PersonalTable {
  table: string;
  /** Columns that refer to the person, each by the person's id. */
  columns: readonly string[];
  /** Columns that the export leaves out: secrets of the app, not facts about the person. Null: no part of the export. */
  hidden: readonly string[] | null;
  erase: Erase;
}

/** A deleted person's places: within about a kilometre, so that nobody's home is left. */
const coarse = (column: string) => `round(${column}::numeric, 2)::double precision`;

const noPlaces = {
  from_name: `'—'`,
  from_detail: `''`,
  from_lon: coarse('from_lon'),
  from_lat: coarse('from_lat'),
  to_name: `'—'`,
  to_detail: `''`,
  to_lon: coarse('to_lon'),
  to_lat: coarse('to_lat'),
  note: `''`,
  flight_number: `''`,
  tag_ids: `'{}'::uuid[]`,
  women: 'false',
};

/** How far a hold has been worked on. */
const workOfHolds = [
  'version',
  'facts_version',
  'lease_ends_at',
  'leased_version',
  'keys_used',
  'compared_version',
  'compared_at',
];

/** As many stops on the way as there were, about where they were. */
const noStops = `(select coalesce(jsonb_agg(jsonb_build_object('name', '—', 'detail', '',
  'lon', round((v ->> 'lon')::numeric, 2), 'lat', round((v ->> 'lat')::numeric, 2))), '[]') from jsonb_array_elements(via) v)`;

const noPickup = {
  pickup_lon: coarse('pickup_lon'),
  pickup_lat: coarse('pickup_lat'),
  dropoff_lon: coarse('dropoff_lon'),
  dropoff_lat: coarse('dropoff_lat'),
  pickup_name: `''`,
  dropoff_name: `''`,
  message: `''`,
  reason: `''`,
};

/**
 * Every table that refers to a person: what their export holds of it, and what becomes of it when they go. In the order
 * in which it is erased. A test compares this with the database: a table that is missing here fails it.
 */
export const personalTables: readonly PersonalTable[] = [
  {
    table: 'sessions',
    columns: ['user_id'],
    hidden: ['access_hash', 'refresh_hash', 'address_hash', 'parent_id'],
    erase: 'delete',
  },
  { table: 'devices', columns: ['user_id'], hidden: [], erase: 'delete' },
  { table: 'outside_identities', columns: ['user_id'], hidden: [], erase: 'delete' },
  { table: 'consents', columns: ['user_id'], hidden: [], erase: 'delete' },
  { table: 'notification_settings', columns: ['user_id'], hidden: [], erase: 'delete' },
  { table: 'news', columns: ['user_id'], hidden: ['thing', 'source'], erase: 'delete' },
  // What others were told of a person goes with that person.
  { table: 'news', columns: ['other_id'], hidden: null, erase: 'delete' },
  { table: 'notices', columns: ['user_id'], hidden: [], erase: 'delete' },
  { table: 'push_devices', columns: ['user_id'], hidden: ['p256dh', 'auth', 'family'], erase: 'delete' },
  { table: 'idempotency', columns: ['user_id'], hidden: null, erase: 'delete' },
  { table: 'shortcuts', columns: ['owner_id'], hidden: [], erase: 'delete' },
  { table: 'contacts', columns: ['owner_id'], hidden: [], erase: 'delete' },
  // What others noted about the person is theirs, and still goes.
  { table: 'contacts', columns: ['other_id'], hidden: null, erase: 'delete' },
  { table: 'contact_applications', columns: ['from_id', 'to_id'], hidden: [], erase: 'delete' },
  { table: 'tagged_contacts', columns: ['user_id'], hidden: null, erase: 'delete' },
  { table: 'tags', columns: ['owner_id'], hidden: [], erase: 'delete' },
  { table: 'blocks', columns: ['blocker_id'], hidden: [], erase: 'delete' },
  // Who has blocked a person is not for that person to read.
  { table: 'blocks', columns: ['blocked_id'], hidden: null, erase: 'delete' },
  { table: 'person_reports', columns: ['reporter_id'], hidden: ['handled_by_id'], erase: 'delete' },
  { table: 'person_reports', columns: ['subject_id'], hidden: null, erase: 'delete' },
  { table: 'person_reports', columns: ['handled_by_id'], hidden: null, erase: { handled_by_id: 'null' } },
  { table: 'feedback', columns: ['author_id'], hidden: [], erase: 'delete' },
  { table: 'admin_actions', columns: ['admin_id'], hidden: [], erase: { admin_id: 'null' } },
  { table: 'admin_actions', columns: ['person_id'], hidden: null, erase: { person_id: 'null', note: `''` } },
  { table: 'admin_readings', columns: ['admin_id'], hidden: [], erase: { admin_id: 'null' } },
  { table: 'admin_reading_people', columns: ['person_id'], hidden: null, erase: 'delete' },
  // With its windows and hits.
  { table: 'alerts', columns: ['owner_id'], hidden: ['sameness'], erase: 'delete' },
  { table: 'events', columns: ['organiser_id'], hidden: [], erase: 'delete' },
  { table: 'event_places', columns: ['passenger_id', 'driver_id'], hidden: [], erase: 'delete' },
  { table: 'contact_attempts', columns: ['driver_id'], hidden: [], erase: 'elsewhere' },
  { table: 'driver_reports', columns: ['driver_id', 'passenger_id'], hidden: [], erase: 'elsewhere' },
  { table: 'ride_questions', columns: ['driver_id', 'passenger_id'], hidden: [], erase: 'elsewhere' },
  { table: 'ride_positions', columns: ['driver_id'], hidden: [], erase: 'delete' },
  { table: 'waitlist', columns: ['passenger_id'], hidden: [], erase: 'delete' },
  { table: 'trip_shares', columns: ['owner_id'], hidden: ['secret_hash'], erase: 'delete' },
  { table: 'trip_shares', columns: ['to_id'], hidden: null, erase: 'delete' },
  // Drawn from what is in the other tables.
  { table: 'ways', columns: ['person_id'], hidden: null, erase: 'delete' },
  { table: 'ways_due', columns: ['person_id'], hidden: null, erase: 'delete' },
  // With its days.
  { table: 'order_series', columns: ['owner_id'], hidden: [], erase: 'delete' },
  { table: 'order_links', columns: ['owner_id'], hidden: ['code_hash'], erase: 'delete' },
  { table: 'order_grants', columns: ['person_id'], hidden: ['link_id'], erase: 'delete' },
  { table: 'strikes', columns: ['driver_id'], hidden: [], erase: 'delete' },
  // What was ridden, and is owed for it, stays beside the payment.
  {
    table: 'broken_rides',
    columns: ['driver_id'],
    hidden: [],
    erase: { words: `''`, place: `'—'`, lon: coarse('lon'), lat: coarse('lat') },
  },
  { table: 'trusted_contacts', columns: ['owner_id'], hidden: [], erase: 'delete' },
  { table: 'alarms', columns: ['person_id'], hidden: [], erase: 'delete' },
  {
    table: 'change_proposals',
    columns: ['driver_id'],
    // Where others get in and out.
    hidden: ['route'],
    erase: { note: `''`, way: 'null', route: 'null' },
  },
  // The provider forgets them first; what was paid stays as long as the law wants it, with nobody in it.
  { table: 'payers', columns: ['user_id'], hidden: ['customer_id', 'card_reads'], erase: 'delete' },
  { table: 'cards', columns: ['user_id'], hidden: ['id', 'provider'], erase: 'delete' },
  { table: 'payment_accounts', columns: ['user_id'], hidden: ['account_id'], erase: 'delete' },
  {
    table: 'card_holds',
    columns: ['passenger_id'],
    hidden: ['action_url', 'payment_id', 'card_id', ...workOfHolds],
    erase: { from_name: `'—'`, to_name: `'—'`, card_label: `''`, action_url: 'null' },
  },
  {
    table: 'card_holds',
    columns: ['driver_id'],
    hidden: ['action_url', 'payment_id', 'card_id', 'card_label', 'decline_code', ...workOfHolds],
    erase: 'elsewhere',
  },
  { table: 'disputes', columns: ['passenger_id'], hidden: ['resolved_by_id'], erase: { text: `''` } },
  { table: 'disputes', columns: ['driver_id'], hidden: ['resolved_by_id'], erase: { answer: `''` } },
  { table: 'disputes', columns: ['resolved_by_id'], hidden: null, erase: { resolved_by_id: 'null' } },
  { table: 'chargebacks', columns: ['cleared_by_id'], hidden: null, erase: { cleared_by_id: 'null' } },
  { table: 'fraud_warnings', columns: ['cleared_by_id'], hidden: null, erase: { cleared_by_id: 'null' } },
  { table: 'payment_alarms', columns: ['ended_by_id'], hidden: null, erase: { ended_by_id: 'null' } },
  { table: 'change_answers', columns: ['passenger_id'], hidden: [], erase: 'delete' },
  { table: 'order_spans', columns: ['person_id'], hidden: null, erase: 'delete' },
  { table: 'chat_members', columns: ['user_id'], hidden: [], erase: 'delete' },
  {
    table: 'chat_messages',
    columns: ['sender_id'],
    hidden: [],
    erase: { text: `''`, sender_id: 'null', place: 'null', picture_id: 'null' },
  },
  { table: 'reviews', columns: ['author_id'], hidden: [], erase: { words: `''`, tags: `'{}'::text[]` } },
  { table: 'reviews', columns: ['subject_id'], hidden: [], erase: 'delete' },
  { table: 'move_history', columns: ['actor_id'], hidden: [], erase: { note: `''`, actor_id: 'null' } },
  { table: 'bookings', columns: ['passenger_id'], hidden: [], erase: noPickup },
  { table: 'bookings', columns: ['driver_id'], hidden: [], erase: { message: `''`, reason: `''` } },
  {
    table: 'requests',
    columns: ['passenger_id'],
    hidden: [],
    erase: { ...noPlaces, pickup_spots: `'[]'::jsonb`, dropoff_spots: `'[]'::jsonb` },
  },
  {
    table: 'rides',
    columns: ['driver_id'],
    hidden: [],
    erase: { ...noPlaces, vehicle_id: 'null', via: noStops },
  },
  { table: 'licences', columns: ['user_id'], hidden: ['decided_by'], erase: 'delete' },
  { table: 'licences', columns: ['decided_by'], hidden: null, erase: { decided_by: 'null' } },
  { table: 'vehicles', columns: ['owner_id'], hidden: [], erase: 'delete' },
  // The rows go with their files, by the feature that keeps them.
  { table: 'pictures', columns: ['owner_id'], hidden: ['object_key'], erase: 'elsewhere' },
  { table: 'users', columns: ['inviter_id'], hidden: null, erase: { inviter_id: 'null' } },
  // Last: what is done to the orders above is noted here once more.
  { table: 'way_changes', columns: ['person_id'], hidden: null, erase: 'delete' },
];

/** What is left of the account itself: a row that others' rides refer to, with nobody in it. */
export const emptyAccount = {
  phone: '',
  phoneRegion: '+1',
  phoneVerifiedAt: null,
  passwordHash: '',
  name: 'Deleted account 已注销',
  firstName: '',
  lastName: '',
  gender: 'prefer not to say',
  interests: '',
  avatar: '',
  isAdmin: false,
  inviterId: null,
  suspendedReason: '',
  foundByEmail: false,
  foundByPhone: false,
  foundByName: false,
  phoneSeenBy: 'nobody',
  ratingSum: 0,
  ratingCount: 0,
  completedRides: 0,
  sharedMetres: 0,
  deletionAskedAt: null,
  deletionDueAt: null,
} as const;

import { firstChoices } from '#contract/notifications/endpoints.ts';
import { perVeteran, veterans, type Load, type Shape } from './shape.ts';

/** Rows about people alone: accounts, devices, contacts, places, cars. */
export function peopleLoads(shape: Shape): Load[] {
  return [
    ...accounts(shape),
    ...signIns(shape),
    ...waysToReach(shape),
    ...tries(shape),
    ...contactPairs(shape),
    ...contactRecords(shape),
    ...carsAndPapers(shape),
    ...places(shape),
    ...messagesToAdmins(shape),
    ...deedsOfAdmins(shape),
    ...sums(shape),
  ];
}

/** Agreed to messages, so that notices are sent. */
const choices = { ...firstChoices, agreed: true };

/** Not quite the year for which readings of the team are retained. */
const readingHours = 8_700;

const givenNames =
  "(array['Ada','Ben','Cora','Dan','Eva','Finn','Gus','Hana','Ivan','June','Kai','Lea','Max','Nora','Omar','Pia'])[1 + growth.pick(i, 21, 16)]";

function accounts({ people }: Shape): Load[] {
  const user = 'growth.person(i)';
  return [
    {
      into: 'users',
      count: people,
      columns: {
        id: user,
        email: `'person' || i || '@example.com'`,
        email_verified_at: 'growth.recent(i, 20, 730)',
        phone: `case when i % 2 = 0 then '+1' || (2000000000 + i) else '' end`,
        phone_verified_at: `case when i % 2 = 0 then growth.recent(i, 20, 730) end`,
        password_hash: `''`,
        name: `${givenNames} || ' ' || upper(substr(md5(i::text), 1, 6))`,
        gender: `case i % 3 when 0 then 'female' when 1 then 'male' else 'prefer not to say' end`,
        profile_completed_at: 'growth.recent(i, 20, 730)',
        suspended_at: `case when i % 1000 = 999 then growth.recent(i, 22, 300) end`,
        deletion_asked_at: `case when i % 5000 = 4999 then growth.now() - interval '2 days' end`,
        deletion_due_at: `case when i % 5000 = 4999 then growth.now() + interval '10 days' end`,
        staff_role: `case when i % 50000 = 49999 then 'admin' end`,
        inviter_id: `case when i % 3 = 0 and i > 10 then growth.person(i / 3) end`,
        rating_sum: `30`,
        rating_count: `7`,
        completed_rides: `5`,
        created_at: 'growth.recent(i, 20, 730)',
      },
    },
    {
      into: 'sessions',
      count: 2 * people,
      columns: {
        id: `growth.key('session', i)`,
        user_id: `growth.person(i / 2)`,
        family: `growth.key('family', i / 2)`,
        access_hash: `md5('access' || i)`,
        refresh_hash: `md5('refresh' || i)`,
        expires_at: `growth.recent(i, 23, 80) + interval '1 hour'`,
        refresh_expires_at: `growth.recent(i, 23, 80) + interval '90 days'`,
        rotated_at: `case when i % 2 = 0 then growth.recent(i, 23, 80) + interval '1 hour' end`,
        used_at: 'growth.recent(i, 23, 80)',
        created_at: 'growth.recent(i, 23, 80)',
      },
    },
    {
      into: 'devices',
      count: people,
      columns: {
        id: `growth.key('device', i)`,
        user_id: user,
        client_type: `'web'`,
        platform: `'web'`,
        user_agent: `'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36'`,
        language: `'en'`,
        screen: `'412x915'`,
        last_launch_time: 'growth.recent(i, 24, 90)',
        create_time: 'growth.recent(i, 20, 730)',
      },
    },
  ];
}

function signIns({ people }: Shape): Load[] {
  return [
    {
      into: 'sign_ins',
      count: people,
      columns: {
        family: `growth.key('family', i)`,
        user_id: 'growth.person(i)',
        used_at: 'growth.recent(i, 23, 80)',
        proved_at: 'growth.recent(i, 23, 80)',
        created_at: 'growth.recent(i, 23, 80)',
      },
    },
    {
      into: 'consents',
      count: 2 * people,
      columns: {
        id: `growth.key('consent', i)`,
        user_id: 'growth.person(i / 2)',
        document: `case i % 2 when 0 then 'terms' else 'privacy' end`,
        version: `'2026-01-01'`,
        given: 'true',
        at: 'growth.recent(i / 2, 20, 730)',
      },
    },
    {
      into: 'federated_identities',
      count: people / 10,
      columns: {
        issuer: `'https://accounts.example.com'`,
        subject: `'subject' || i`,
        user_id: 'growth.person(i * 10)',
        email: `'person' || (i * 10) || '@example.com'`,
        created_at: 'growth.recent(i * 10, 20, 730)',
      },
    },
  ];
}

function waysToReach({ people }: Shape): Load[] {
  return [
    {
      into: 'notification_settings',
      count: people / 3,
      columns: {
        user_id: 'growth.person(i * 3)',
        choices: `'${JSON.stringify(choices)}'::jsonb || jsonb_build_object('location', '${JSON.stringify(choices.location)}'::jsonb || jsonb_build_object('nearHome', i % 10 = 0))`,
        saved_at: 'growth.recent(i, 25, 300)',
      },
    },
    {
      into: 'push_devices',
      count: people / 2,
      columns: {
        id: `growth.key('push', i)`,
        user_id: 'growth.person(i * 2)',
        family: `growth.key('family', i * 2)`,
        carrier: `'web'`,
        endpoint: `'https://fcm.googleapis.com/fcm/send/' || i`,
        p256dh: `repeat('B', 87)`,
        auth: `repeat('a', 22)`,
        created_at: 'growth.recent(i, 24, 90)',
      },
    },
    {
      // Valid for 15 minutes, and deleted within the ten after that.
      into: 'email_codes',
      count: people / 100,
      columns: {
        id: `growth.key('code', i)`,
        email: `'person' || i || '@example.com'`,
        purpose: `'signup'`,
        code_hash: `md5('code' || i)`,
        sent_at: 'growth.recent(i, 26, 25 / 1440.0)',
        expires_at: `growth.recent(i, 26, 25 / 1440.0) + interval '15 minutes'`,
      },
    },
  ];
}

function tries({ people }: Shape): Load[] {
  const user = 'growth.person(i)';
  return [
    {
      // Retained for a day, most of which is left when the filling ends.
      into: 'signups',
      count: people / 20,
      columns: {
        id: `growth.key('signup', i)`,
        email: `'new' || i || '@example.com'`,
        password_hash: `''`,
        created_at: 'growth.recent(i, 26, 0.99)',
      },
    },
    {
      into: 'tries',
      count: people / 2,
      columns: {
        key: `'login:' || i`,
        count: '1',
        window_ends_at: `growth.now() + (growth.unit(i, 27) - 0.3) * interval '1 day'`,
      },
    },
    {
      // Retained for a day too.
      into: 'idempotency',
      count: people / 2,
      columns: {
        user_id: user,
        key: `growth.key('action', i)`,
        path: `'/order/request'`,
        fingerprint: `repeat('f', 43)`,
        state: `'done'`,
        owner: `growth.key('owner', i)`,
        lease_until: 'growth.recent(i, 28, 0.99)',
        answer: `jsonb_build_object('code', 200, 'data', repeat('x', 400))`,
        created_at: 'growth.recent(i, 28, 0.99)',
      },
    },
  ];
}

/** The number of the person behind a veteran's contact. */
const acquaintance = `(1000 + (i / ${veterans}) * 7)`;

function contactPairs({ people }: Shape): Load[] {
  const origin = { remark: `''`, origin: `'DIRECT'`, created_at: 'growth.recent(i, 30, 700)' };
  const ofVeteran = veterans * perVeteran.contacts;
  const ring = `(i / 4 - ${veterans} + case i % 4 when 0 then 1 when 1 then 2 when 2 then ${people - veterans - 1} else ${people - veterans - 2} end) % ${people - veterans} + ${veterans}`;
  return [
    {
      into: 'contacts',
      from: 4 * veterans,
      count: 4 * (people - veterans),
      columns: { owner_id: 'growth.person(i / 4)', other_id: `growth.person(${ring})`, ...origin },
    },
    {
      into: 'contacts',
      count: ofVeteran,
      columns: {
        owner_id: `growth.person(i % ${veterans})`,
        other_id: `growth.person(${acquaintance})`,
        ...origin,
      },
    },
    {
      into: 'contacts',
      count: ofVeteran,
      columns: {
        owner_id: `growth.person(${acquaintance})`,
        other_id: `growth.person(i % ${veterans})`,
        ...origin,
      },
    },
  ];
}

function contactRecords({ people }: Shape): Load[] {
  return [
    {
      into: 'contact_applications',
      count: people / 3,
      columns: {
        id: `growth.key('application', i)`,
        from_id: 'growth.person(i)',
        to_id: 'growth.person(case when i % 100 < 2 then i % 5 else i + 3 end)',
        origin: `'DIRECT'`,
        status: `case when i > 10 and i % 50 = 7 then 'pending' else 'accepted' end`,
        created_at: 'growth.recent(i, 31, 700)',
        answered_at: `case when i > 10 and i % 50 = 7 then null else growth.now() end`,
      },
    },
    {
      into: 'tags',
      count: people / 5,
      columns: {
        id: `growth.key('tag', i)`,
        owner_id: `growth.person(case when i < ${veterans * 50} then i % ${veterans} else i end)`,
        name: `'Tag ' || i`,
      },
    },
    {
      into: 'tagged_contacts',
      from: veterans * 50,
      count: people / 5 - veterans * 50,
      columns: { tag_id: `growth.key('tag', i)`, user_id: 'growth.person(i + 1)' },
    },
    {
      into: 'tagged_contacts',
      count: veterans * perVeteran.contacts,
      columns: {
        tag_id: `growth.key('tag', i % ${veterans} + ${veterans} * (i / ${veterans} % 50))`,
        user_id: `growth.person(${acquaintance})`,
      },
    },
    {
      into: 'blocks',
      count: people / 20,
      columns: {
        blocker_id: `growth.person(case when i < 1000 then i % ${veterans} else i end)`,
        blocked_id: 'growth.person(15000 + i)',
        created_at: 'growth.recent(i, 32, 700)',
      },
    },
  ];
}

function carsAndPapers({ drivers }: Shape): Load[] {
  return [
    {
      into: 'vehicles',
      count: drivers,
      columns: {
        id: `growth.key('vehicle', i)`,
        owner_id: 'growth.person(i)',
        plate: `upper(substr(md5(i::text), 1, 7))`,
        brand: `'Toyota'`,
        model: `'Prius'`,
        type: `'hatchback'`,
        year: '2021',
        color: `'blue'`,
        seats: '4',
        created_at: 'growth.recent(i, 20, 730)',
      },
    },
    {
      into: 'pictures',
      count: 2 * drivers,
      columns: {
        id: `growth.key('picture', i)`,
        owner_id: 'growth.person(i / 2)',
        purpose: `'license'`,
        object_key: `'private/licences/' || i || '.webp'`,
        width: '800',
        height: '500',
        created_at: 'growth.recent(i / 2, 20, 730)',
        used_at: `case when i % 20000 = 7 then null else growth.recent(i / 2, 20, 730) end`,
      },
    },
    {
      into: 'licenses',
      count: drivers,
      columns: {
        id: `growth.key('license', i)`,
        user_id: 'growth.person(i)',
        status: `case when i % 200 = 150 then 'Reviewing' else 'Accepted' end`,
        front_id: `growth.key('picture', 2 * i)`,
        back_id: `growth.key('picture', 2 * i + 1)`,
        created_at: 'growth.recent(i, 20, 730)',
        decided_at: `case when i % 200 = 150 then null else growth.recent(i, 20, 730) + interval '1 day' end`,
      },
    },
  ];
}

function places({ people }: Shape): Load[] {
  return [
    {
      into: 'shortcuts',
      count: people,
      columns: {
        id: `growth.key('shortcut', i)`,
        owner_id: 'growth.person(i)',
        label: `case i % 2 when 0 then 'home' else 'work' end`,
        at_name: `'Pacific Avenue'`,
        at_detail: `'Santa Cruz'`,
        at_lon: 'growth.lon(i, 40)',
        at_lat: 'growth.lat(i, 41)',
        // As triggers would, of the settings that these people have.
        shown_within_metres: `case when i % 30 = 0 then ${choices.location.withinMetres} end`,
        created_at: 'growth.recent(i, 20, 730)',
      },
    },
    {
      into: 'trusted_contacts',
      count: people / 4,
      columns: {
        owner_id: 'growth.person(i * 4)',
        name: `'Mum'`,
        phone: `''`,
        email: `'mum' || i || '@example.com'`,
      },
    },
    {
      into: 'commutes_due',
      count: people,
      columns: {
        person_id: 'growth.person(i)',
        due_at: `growth.now() + case when i % 10000 = 3 then interval '-1 minute' else growth.unit(i, 42) * interval '1 day' + interval '1 minute' end`,
      },
    },
  ];
}

/** Messages and reports for admins. */
function messagesToAdmins({ people }: Shape): Load[] {
  return [
    {
      into: 'feedback',
      count: people / 20,
      columns: {
        id: `growth.key('feedback', i)`,
        author_id: 'growth.person(i)',
        subject: `'About the map'`,
        message: `repeat('It could be larger. ', 10)`,
        created_at: 'growth.recent(i, 50, 700)',
        read_at: `case when i % 50 = 0 then null else growth.now() end`,
        answered_at: `case when i % 50 = 0 then null else growth.now() end`,
      },
    },
    {
      into: 'person_reports',
      count: people / 20,
      columns: {
        id: `growth.key('report', i)`,
        reporter_id: 'growth.person(i + 2)',
        subject_id: 'growth.person(i)',
        reason: `'spam'`,
        created_at: 'growth.recent(i, 51, 700)',
        handled_at: `case when i % 50 = 0 then null else growth.now() end`,
      },
    },
  ];
}

function deedsOfAdmins({ people }: Shape): Load[] {
  return [
    {
      into: 'admin_actions',
      count: people / 10,
      columns: {
        admin_id: 'growth.person(4)',
        action: `'license.accepted'`,
        person_id: 'growth.person(i)',
        at: 'growth.recent(i, 52, 700)',
      },
    },
    {
      into: 'admin_readings',
      count: people / 20,
      columns: {
        id: 'i + 1',
        admin_id: `growth.person(i / ${readingHours})`,
        list: `'users'`,
        hour_at: `date_trunc('hour', growth.now()) - i % ${readingHours} * interval '1 hour'`,
        times: '3',
        first_at: `growth.now() - i % ${readingHours} * interval '1 hour'`,
        last_at: `growth.now() - i % ${readingHours} * interval '1 hour'`,
      },
    },
    {
      into: 'admin_reading_people',
      count: people,
      columns: { reading_id: '1 + i / 20', person_id: 'growth.person(i)' },
    },
    {
      // Within the ninety days of their retention.
      into: 'security_counts',
      count: 15_000,
      columns: {
        event: `(array['signedIn','signInFailed','codeRefused','tokenRefused','forbidden','rateLimited','webhookForged'])[1 + i % 7]`,
        hour_at: `date_trunc('hour', growth.now()) - (i / 7) * interval '1 hour'`,
        count: '1000',
        last_at: `growth.now() - (i / 7) * interval '1 hour'`,
      },
    },
  ];
}

function sums({ people }: Shape): Load[] {
  return [
    {
      into: 'daily_figures',
      count: 730 * 50,
      columns: {
        day: `growth.now()::date - (i / 50)::int`,
        name: `case when i % 50 < 40 then 'licenseWait' else (array['people','rides','requests','matches','joined','finished','sharedMetres','authorizedCents','capturedCents','licencesDecided'])[i % 50 - 39] end`,
        bucket: `case when i % 50 < 40 then i % 50 else 0 end`,
        value: '1000',
      },
    },
    {
      into: 'figures_counted',
      count: 1,
      columns: {
        id: '1',
        until_at: `growth.now() - interval '1 minute'`,
        time_zone: `'America/Los_Angeles'`,
      },
    },
    {
      into: 'settings',
      count: 1,
      columns: {
        name: `'messages told until'`,
        value: `to_jsonb(to_char(growth.now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
      },
    },
    {
      into: 'failed_deliveries',
      count: people / 50,
      columns: {
        id: `growth.key('undelivered', i)`,
        task: `'letter'`,
        recipient: `'person' || i || '@example.com'`,
        what: `'Hello'`,
        payload: `jsonb_build_object('to', 'person' || i || '@example.com', 'subject', 'Hello', 'language', 'en',
          'blocks', jsonb_build_array(jsonb_build_object('kind', 'paragraph', 'text', 'Hello')))`,
        error: `'The mail server is away.'`,
        attempts: '12',
        at: 'growth.recent(i, 53, 29)',
      },
    },
  ];
}

import { veterans, type Load, type Shape } from './shape.ts';

/** Cards, authorizations, the ledger and the events of the card provider. */
export function moneyLoads(shape: Shape): Load[] {
  return [...parties(shape), ...holds(shape), ...provider(shape), ...contested(shape)];
}

const sandbox = `'sandbox'`;

function parties({ people, drivers }: Shape): Load[] {
  return [
    // Those with a long history become known to the provider by themselves.
    {
      into: 'payers',
      from: veterans,
      count: people / 2 - veterans,
      columns: {
        user_id: 'growth.person(i * 2)',
        provider: sandbox,
        customer_id: `'cus_' || i`,
        created_at: 'growth.recent(i, 90, 600)',
      },
    },
    {
      into: 'cards',
      from: veterans,
      count: people / 2 - veterans,
      columns: {
        id: `'pm_growth' || i`,
        user_id: 'growth.person(i * 2)',
        provider: sandbox,
        position: '0',
        brand: `'visa'`,
        last4: `'4242'`,
        expiry_month: '12',
        expiry_year: '2034',
        is_default: 'true',
      },
    },
    {
      into: 'payment_accounts',
      from: veterans,
      count: drivers / 2,
      columns: {
        user_id: 'growth.person(i)',
        provider: sandbox,
        account_id: `'acct_' || i`,
        state: `'verified'`,
        missing: `'{}'::text[]`,
        created_at: 'growth.recent(i, 91, 600)',
        checked_at: 'growth.recent(i, 92, 1)',
      },
    },
  ];
}

/** Holds are of every second past booking, captured a day after the ride. */
function holds({ pastRides, pastRequests }: Shape): Load[] {
  const count = Math.floor(pastRequests / 2);
  const [booking, ride] = ['(2 * i)', `(2 * i % ${pastRides})`];
  const at = `growth.past(${ride})`;
  return [
    {
      into: 'authorizations',
      count,
      columns: {
        id: `growth.key('hold', i)`,
        provider: sandbox,
        booking_id: `growth.key('booking', ${booking})`,
        passenger_id: `growth.person(growth.passenger(${booking}))`,
        driver_id: `growth.person(growth.driver(${ride}))`,
        ride_id: `growth.key('ride', ${ride})`,
        request_id: `growth.key('request', ${booking})`,
        order_number: `growth.number(${ride})`,
        from_name: `'Mission Street'`,
        to_name: `'Aptos Village'`,
        ride_at: at,
        time_zone: `'America/Los_Angeles'`,
        seats: '1',
        goal: `'capture'`,
        amount_cents: '900',
        capture_cents: '900',
        capture_at: `${at} + interval '1 day'`,
        settled_at: `${at} + interval '1 hour'`,
        card_id: `'pm_growth' || i`,
        card_label: `'Visa •••• 4242'`,
        is_present: 'false',
        is_asked: 'true',
        payment_id: `'pi_growth' || i`,
        state: `'succeeded'`,
        authorized_cents: '0',
        captured_cents: '900',
        fee_cents: '146',
        captured_at: `${at} + interval '1 day'`,
        compared_version: '1',
        compared_at: `${at} + interval '2 days'`,
        created_at: `${at} - interval '1 day'`,
        updated_at: `${at} + interval '1 day'`,
      },
    },
    {
      // Authorized, canceled and captured, each an entry that sums to zero.
      into: 'ledger_lines',
      count: 7 * count,
      columns: {
        entry_id: `growth.key('entry', i / 7 * 3 + least(i % 7 / 2, 2))`,
        account: `(array['cards.held','holds','cards.held','holds','cards','drivers','fees'])[1 + i % 7]`,
        cents: `(array[900,-900,-900,900,900,-754,-146])[1 + i % 7]`,
        authorization_id: `growth.key('hold', i / 7)`,
        what: `(array['held','held','let go','let go','taken','taken','taken'])[1 + i % 7]`,
        at: `growth.past(2 * (i / 7) % ${pastRides})`,
      },
    },
  ];
}

function provider({ pastRides, pastRequests }: Shape): Load[] {
  const count = Math.floor(pastRequests / 2);
  return [
    {
      into: 'provider_events',
      count: 2 * count,
      columns: {
        id: `'evt_growth' || i`,
        type: `'payment_intent.succeeded'`,
        // Within the sixty days of their retention.
        at: 'growth.recent(i, 93, 59)',
        received_at: 'growth.recent(i, 93, 59)',
        kind: `'payment'`,
        thing_id: `'pi_growth' || i / 2`,
      },
    },
    {
      into: 'provider_transactions',
      count,
      columns: {
        id: `'txn_growth' || i`,
        provider: sandbox,
        type: `'charge'`,
        category: `'charge'`,
        amount_cents: '900',
        fee_cents: '56',
        net_cents: '844',
        source_id: `'ch_growth' || i`,
        at: `growth.past(2 * i % ${pastRides})`,
        entry_id: `growth.key('balance', i)`,
      },
    },
  ];
}

function contested({ people }: Shape): Load[] {
  const count = people / 50;
  return [
    {
      into: 'claims',
      count,
      columns: {
        id: `growth.key('claim', i)`,
        booking_id: `growth.key('booking', 2 * i)`,
        authorization_id: `growth.key('hold', i)`,
        passenger_id: 'growth.person(growth.passenger(2 * i))',
        driver_id: 'growth.person(growth.driver(2 * i))',
        state: `case when i % 100 = 0 then 'open' else 'resolved' end`,
        text: `'Nobody came'`,
        opened_at: 'growth.past(2 * i)',
        resolved_at: `case when i % 100 = 0 then null else growth.past(2 * i) + interval '3 days' end`,
      },
    },
    {
      into: 'chargebacks',
      count: count / 2,
      columns: {
        id: `'du_growth' || i`,
        provider: sandbox,
        authorization_id: `growth.key('hold', i)`,
        payment_id: `'pi_growth' || i`,
        state: `'lost'`,
        reason: `'fraudulent'`,
        amount_cents: '900',
        fee_cents: '1500',
        withdrawn_cents: '900',
        has_evidence: 'true',
        opened_at: 'growth.past(2 * i)',
        closed_at: `growth.past(2 * i) + interval '30 days'`,
      },
    },
    {
      into: 'fraud_warnings',
      count: count / 2,
      columns: {
        id: `'issfr_growth' || i`,
        provider: sandbox,
        authorization_id: `growth.key('hold', i)`,
        payment_id: `'pi_growth' || i`,
        fraud_type: `'made_with_stolen_card'`,
        is_actionable: 'false',
        at: 'growth.past(2 * i)',
      },
    },
    {
      into: 'payment_alarms',
      count,
      columns: {
        id: `growth.key('alarm of money', i)`,
        kind: `'chargeback'`,
        about: `'du_growth' || i`,
        detail: `'lost'`,
        first_at: 'growth.past(2 * i)',
        last_at: 'growth.past(2 * i)',
        ended_at: `case when i % 100 = 0 then null else growth.past(2 * i) + interval '1 day' end`,
      },
    },
    {
      into: 'reconciliations',
      count: 17_000,
      columns: { at: `growth.now() - i * interval '1 hour'`, checked: '400', differences: `'[]'::jsonb` },
    },
  ];
}

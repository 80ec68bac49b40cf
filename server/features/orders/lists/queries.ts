import { sql, type SQL } from 'drizzle-orm';
import {
  changeableRideStates,
  dayStates,
  endedRequestStates,
  endedRideStates,
  openAskStates,
  stages,
  type Stage,
} from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';

export type Role = 'driver' | 'passenger';

/** One of a person's own orders: a ride that they drive, or their request. */
export interface OwnOrder {
  role: Role;
  id: string;
  stage: Stage;
}

const among = (states: readonly string[]): SQL => sql`any(${sql.param([...states])}::text[])`;

/**
 * `stageOf` of the contract in SQL, so that the database counts, sorts and pages; a test compares the two.
 */
const ridesOf = (driverId: string): SQL => sql`
  select 'driver' as role, r.id, r.departs_at as at,
    case
      when r.state = ${among(endedRideStates)} then 'Completed'
      when not r.state = ${among(changeableRideStates)} then 'In Progress'
      when exists (select 1 from bookings b where b.ride_id = r.id and b.state = ${among(openAskStates)}) then 'Requesting'
      when exists (select 1 from bookings b where b.ride_id = r.id and b.state = 'joined') then 'Joined'
      else 'Matching'
    end as stage
  from rides r where r.driver_id = ${driverId}`;

const requestsOf = (passengerId: string): SQL => sql`
  select 'passenger' as role, r.id, r.earliest_at as at,
    case
      when r.state = ${among(endedRequestStates)} then 'Completed'
      when exists (select 1 from bookings b where b.request_id = r.id and b.state = ${among(dayStates)}) then 'In Progress'
      when exists (select 1 from bookings b where b.request_id = r.id and b.state = ${among(openAskStates)}) then 'Requesting'
      when exists (select 1 from bookings b where b.request_id = r.id and b.state = 'joined') then 'Joined'
      else 'Matching'
    end as stage
  from requests r where r.passenger_id = ${passengerId}`;

function ordersOf(personId: string, role: Role | undefined): SQL {
  if (role === 'driver') return ridesOf(personId);
  if (role === 'passenger') return requestsOf(personId);
  return sql`${ridesOf(personId)} union all ${requestsOf(personId)}`;
}

/** How many of a person's own orders each stage holds. */
export async function countByStage(
  db: Db,
  personId: string,
  role: Role | undefined,
): Promise<Record<Stage, number>> {
  const found = await db.execute<{ stage: Stage; count: string }>(
    sql`select stage, count(*) as count from (${ordersOf(personId, role)}) own group by stage`,
  );
  const counts = new Map(found.rows.map(({ stage, count }) => [stage, Number(count)]));
  const countOf = (stage: Stage) => counts.get(stage) ?? 0;
  return {
    Matching: countOf('Matching'),
    'In Progress': countOf('In Progress'),
    Completed: countOf('Completed'),
    Joined: countOf('Joined'),
    Requesting: countOf('Requesting'),
  };
}

/**
 * A page of a person's own orders: those to come with the soonest first, then those past, the latest first.
 */
export async function ownOrdersPage(
  db: Db,
  personId: string,
  {
    role,
    stage,
    offset,
    limit,
  }: { role: Role | undefined; stage: Stage | undefined; offset: number; limit: number },
): Promise<OwnOrder[]> {
  const ofStages = stage === undefined ? [...stages] : [stage];
  const found = await db.execute<{ role: Role; id: string; stage: Stage }>(sql`
    select role, id, stage from (${ordersOf(personId, role)}) own
    where stage = ${among(ofStages)}
    order by stage = 'Completed', case when stage = 'Completed' then null else at end, at desc, id
    limit ${limit} offset ${offset}`);
  return found.rows;
}

/** The order of a role that is under way, or else the one that comes next; null where none is open. */
export async function nextOwnOrder(db: Db, personId: string, role: Role): Promise<OwnOrder | null> {
  const found = await db.execute<{ role: Role; id: string; stage: Stage }>(sql`
    select role, id, stage from (${ordersOf(personId, role)}) own
    where stage <> 'Completed'
    order by stage = 'In Progress' desc, at, id
    limit 1`);
  return found.rows[0] ?? null;
}

import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * True for orders whose circle reaches the viewer, while neither has blocked the other. A guest (null) sees what all
 * users see. A private order is reached by invitation or link alone; whoever has opened the link to an order is in its
 * circle. One for women is reached by women alone. An order of a suspended person reaches no one, from the moment of the
 * suspension: nothing waits for the order to be taken back.
 */
export function circleReaches(
  order: { id: SQLWrapper; visibility: SQLWrapper; tagIds: SQLWrapper; women: SQLWrapper },
  owner: SQLWrapper,
  viewer: SQLWrapper | string | null,
): SQL {
  if (viewer === null)
    return sql`(${order.visibility} = 'all users' and not ${order.women} and ${isActive(owner)})`;
  return sql`((
    ${order.visibility} = 'all users'
    or (${order.visibility} = 'all contacts' and exists (select 1 from contacts c where c.owner_id = ${owner} and c.other_id = ${viewer}))
    or (${order.visibility} = 'tags' and exists (select 1 from tagged_contacts t where t.tag_id = any(${order.tagIds}) and t.user_id = ${viewer}))
    or exists (select 1 from order_grants g where g.order_id = ${order.id} and g.person_id = ${viewer})
  ) and (not ${order.women} or ${areWomen(owner, viewer)}) and ${neitherBlocked(owner, viewer)} and ${isActive(owner)})`;
}

/** True for a person whose account is not suspended. */
export const isActive = (person: SQLWrapper): SQL =>
  sql`not exists (select 1 from users u where u.id = ${person} and u.suspended_at is not null)`;

/** True for two people whose profiles both say female. */
export const areWomen = (a: SQLWrapper | string, b: SQLWrapper | string): SQL =>
  sql`not exists (select 1 from users u where u.id in (${a}, ${b}) and u.gender <> 'female')`;

/** True for two people of whom neither has blocked the other. */
export const neitherBlocked = (a: SQLWrapper | string, b: SQLWrapper | string): SQL =>
  sql`not exists (
    select 1 from blocks b
    where (b.blocker_id = ${a} and b.blocked_id = ${b}) or (b.blocker_id = ${b} and b.blocked_id = ${a})
  )`;

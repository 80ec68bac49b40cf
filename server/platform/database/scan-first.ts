import { sql, type SQL } from 'drizzle-orm';

/**
 * The condition by which a subquery finds its rows, before the statement around it asks more of each. In one
 * statement the planner may compare them with an index of all open orders, of which it expects few, to spare
 * some of what is looked up for each row.
 */
export const scanFirst = (condition: SQL): SQL => sql`${condition} offset 0`;

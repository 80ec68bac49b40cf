import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { databaseOf } from '../../server/platform/database/db.ts';
import { emitByCommand } from '../../server/platform/events/outbox.ts';
import { hashSecret, newSecret } from '../../server/platform/security/session.ts';
import { dayMs, later } from '../../server/platform/clock.ts';
import type { AccessFixture } from '../../server/testing/access-fixture.ts';
import type { TestPerson } from '../../server/testing/people.ts';
import { keyOf, veterans, type Shape } from './shape.ts';

const roles = ['driver', 'passenger', 'owner', 'contact', 'stranger'] as const;

/** The people with a long history, each in one part of the scene. */
export class Veterans {
  readonly #pool: Pool;
  readonly #ids: readonly string[];
  readonly #openOrders: readonly string[];

  private constructor(pool: Pool, ids: readonly string[], openOrders: readonly string[]) {
    this.#pool = pool;
    this.#ids = ids;
    this.#openOrders = openOrders;
  }

  /** @param pastRides the number of rides that end before those that are open */
  static async open(pool: Pool, { pastRides }: Pick<Shape, 'pastRides'>): Promise<Veterans> {
    const ids = Array.from({ length: veterans }, (_, number) => keyOf('person', number));
    const owner = ids[roles.indexOf('owner')];
    await pool.query("update users set staff_role = 'owner' where id = $1", [owner]);
    // A person on the team has a second factor.
    await pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, name, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, '', 'bench', now())`,
      [owner],
    );
    // Rows that earlier runs have left in a reused database are not theirs; orders that earlier runs canceled
    // are open again.
    const openOrders = ids.map((_, number) => keyOf('ride', pastRides + number));
    await pool.query(
      `update rides set state = 'matching', ended_at = null where id = any($1) and ended_at is not null`,
      [openOrders],
    );
    await pool.query(
      `update chat_rooms set closed_at = null, closed_because = null where id = any($1) and closed_at is not null`,
      [openOrders],
    );
    return new Veterans(pool, ids, openOrders);
  }

  /**
   * Signs all of them in. What earlier calls have done to them is undone: their orders of the scene give
   * their time free, none of them is blocked, suspended or about to leave.
   * @param by.others driver and passenger in each other's place
   */
  async signIn(now: Date, by: { others: boolean }): Promise<AccessFixture['people']> {
    const ask = (text: string) => this.#pool.query(text, [this.#ids]);
    await this.#pool.query('delete from order_spans where person_id = any($1) and not order_id = any($2)', [
      this.#ids,
      this.#openOrders,
    ]);
    await this.#endOrders(now);
    await ask(
      `update recurring_rides set state = 'ended', due_at = null where owner_id = any($1) and state = 'running' and from_day > '2026-06'`,
    );
    await ask('delete from blocks where blocker_id = any($1) and blocked_id = any($1)');
    await ask(
      `update users set staff_role = null where id = any($1) and staff_role is distinct from 'owner'`,
    );
    await ask('delete from strikes where driver_id = any($1)');
    await ask('delete from totp_secrets where user_id = any($1)');
    await ask(`delete from tags where owner_id = any($1) and name not like 'Tag %'`);
    // One has at most ten.
    await this.#pool.query(
      'update vehicles set deleted_at = $3 where owner_id = any($1) and deleted_at is null and not id = any($2)',
      [this.#ids, this.#ids.map((_, number) => keyOf('vehicle', number)), now],
    );
    await ask(
      `update users set suspended_at = null, suspended_reason = '', deletion_asked_at = null, deletion_due_at = null where id = any($1)`,
    );
    await this.#pool.query('delete from tries');
    const people: [string, TestPerson][] = [];
    for (const [index, role] of roles.entries())
      people.push([role, await this.#session(this.#ids[index]!, now)]);
    const signedIn = Object.fromEntries(people) as Record<(typeof roles)[number], TestPerson>;
    const { driver, passenger } = signedIn;
    if (by.others) Object.assign(signedIn, { driver: passenger, passenger: driver });
    // Every call of the team is made by the owner, who may make all of them.
    const { owner } = signedIn;
    return { ...signedIn, admin: owner, moderator: owner, reviewer: owner, support: owner, auditor: owner };
  }

  async #endOrders(now: Date): Promise<void> {
    const values = [this.#ids, this.#openOrders, now];
    const ended = `set state = 'cancel', ended_at = $3 where ended_at is null and not id = any($2)`;
    await this.#pool.query(
      `update bookings set state = 'cancel', ended_at = $3, expires_at = null, awaits = null where ended_at is null
         and (driver_id = any($1) or passenger_id = any($1)) and not ride_id = any($2)`,
      values,
    );
    const { rows } = await this.#pool.query<{ id: string }>(
      `with rides as (update rides ${ended} and driver_id = any($1) returning id),
         requests as (update requests ${ended} and passenger_id = any($1) returning id)
       select id from rides union all select id from requests`,
      values,
    );
    const orderIds = rows.map(({ id }) => id);
    const signal = { name: 'orders.written', payload: { orderIds }, key: 'veterans' } as const;
    await emitByCommand(databaseOf(this.#pool), signal, now);
  }

  async #session(id: string, now: Date): Promise<TestPerson> {
    const token = newSecret();
    const { rows } = await this.#pool.query<{ email: string }>(
      `with made as (
         insert into sessions (id, user_id, family, access_hash, refresh_hash, expires_at, refresh_expires_at, created_at)
         values ($1, $2, $1, $3, $4, $5, $5, $6)),
       proved as (
         insert into sign_ins (family, user_id, used_at, proved_at, second_factor_at, created_at)
         values ($1, $2, $6, $5, $6, $6))
       select email from users where id = $2`,
      [randomUUID(), id, hashSecret(token), hashSecret(newSecret()), later(now, 400 * dayMs), now],
    );
    return { id, token, email: rows[0]!.email };
  }
}

import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Base } from './base/base.ts';
import type { Clock } from './base/clock.ts';
import { databaseOf } from './base/db.ts';
import type { Env } from './base/env.ts';
import { createHttp } from './base/http.ts';
import { createLimit } from './base/limits.ts';
import { createLive, silentLive, type Live } from './base/live.ts';
import type { Log } from './base/log.ts';
import { createMail } from './base/mail.ts';
import { Outbox } from './base/outbox.ts';
import { createAuthenticate } from './base/session.ts';
import { createTransact } from './base/transact.ts';
import { serveFeedback } from './rooms/feedback/routes.ts';
import { createFeedback } from './rooms/feedback/service.ts';

export interface HouseOptions {
  env: Env;
  log: Log;
  clock: Clock;
  pool: Pool;
  /** False where nobody can connect: the seed, most tests. */
  withLive: boolean;
}

/** The whole server, built but not listening: rooms in floor order, each served by hand. */
export async function buildHouse({ env, log, clock, pool, withLive }: HouseOptions): Promise<House> {
  const db = databaseOf(pool);
  const authenticate = createAuthenticate(db, clock);
  const { app, serve } = await createHttp({ db, log, authenticate });
  const live: Live = withLive ? createLive(app.server, authenticate) : silentLive;
  const outbox = new Outbox(clock, createMail(env, db, clock));
  const base: Base = {
    env,
    log,
    clock,
    db,
    transact: createTransact(db, clock),
    outbox,
    live,
    limit: createLimit(db, clock),
  };

  const feedback = createFeedback(base);

  serveFeedback(serve, feedback);
  return { app, base, pool, rooms: { feedback } };
}

export interface House {
  app: FastifyInstance;
  base: Base;
  pool: Pool;
  rooms: { feedback: ReturnType<typeof createFeedback> };
}

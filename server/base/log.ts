import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { Env } from './env.ts';

/** JSON lines for machines in production, readable lines elsewhere. */
export function createLog(env: Pick<Env, 'LOG_LEVEL' | 'production'>) {
  const options = { level: env.LOG_LEVEL, redact: ['req.headers.authorization'] };
  if (env.production) return pino(options);
  return pino(options, PinoPretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname' }));
}

export type Log = ReturnType<typeof createLog>;

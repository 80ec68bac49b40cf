import { pino } from 'pino';
import type { Env } from './env.ts';

/** JSON lines for machines in production, readable lines elsewhere. */
export function createLog(env: Pick<Env, 'LOG_LEVEL' | 'production'>) {
  return pino({
    level: env.LOG_LEVEL,
    redact: ['req.headers.authorization'],
    ...(env.production
      ? {}
      : {
          transport: {
            target: 'pino-pretty',
            options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' },
          },
        }),
  });
}

export type Log = ReturnType<typeof createLog>;

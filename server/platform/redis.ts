import { createClient, type RedisClientType } from '@redis/client';
import { secondMs } from './clock.ts';

/** How often a connection is pinged, and how long it may be silent before it is given up. */
const pingEveryMs = 5 * secondMs;
const silentForMs = 15 * secondMs;
const longestPauseMs = 2 * secondMs;

/** A connection to Redis or Valkey, for the caller to connect; it is made again whenever it breaks. */
export const openRedis = (url: string): RedisClientType =>
  createClient({
    url,
    pingInterval: pingEveryMs,
    socket: {
      socketTimeout: silentForMs,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, longestPauseMs),
    },
  });

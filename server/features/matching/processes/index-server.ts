import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Env } from '../../../platform/env.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { SearchIndex } from '../search-index.ts';
import { dialectHeader, dialectOf, isBearer, read, readyPath, write, type Questions } from './wire.ts';

/** Far more than the longest question. */
const longestQuestionBytes = 16 * 1024 ** 2;

/** Answers other processes' questions about the open orders that this one holds. */
export interface IndexServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves an index over HTTP, to processes that know the secret.
 * @param at.port 0 is any free one.
 */
export async function serveIndex(
  index: Pick<SearchIndex, 'ask' | 'judge' | 'isReady'>,
  { env, log }: { env: Env; log: Log },
  at: { port: number; secret: string },
): Promise<IndexServer> {
  const dialect = dialectOf(env);

  async function answer(request: IncomingMessage): Promise<{ code: number; body?: Buffer }> {
    if (!isBearer(request.headers.authorization, at.secret)) return { code: 401 };
    if (request.headers[dialectHeader] !== dialect) return { code: 409 };
    if (!index.isReady) return { code: 503 };
    if (request.method === 'GET' && request.url === readyPath) return { code: 200 };
    if (request.method !== 'POST') return { code: 404 };
    const bytes = await bodyOf(request);
    if (bytes === null) return { code: 413 };
    // A caller who knows the secret is a process of this installation and release: its types are the same.
    if (request.url === '/ask')
      return { code: 200, body: write(await index.ask(read(bytes) as Questions['ask']['question'])) };
    if (request.url === '/judge')
      return { code: 200, body: write(await index.judge(read(bytes) as Questions['judge']['question'])) };
    return { code: 404 };
  }

  const server = createServer((request, response: ServerResponse) => {
    answer(request).then(
      ({ code, body }) => response.writeHead(code).end(body),
      (error: unknown) => {
        log.error({ err: error }, 'a question of another process could not be answered');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, env.HOST, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > longestQuestionBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

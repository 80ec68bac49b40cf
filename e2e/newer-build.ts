import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pageAt } from '#contract/app/pages.ts';

/** A server in front of the real one, which can be updated under the pages that are open. */
export interface Front {
  url: string;
  /**
   * From now on it serves a newer build: every file has another name, and those of before are gone.
   * Returns what the names of its files have in them.
   */
  release(): string;
  /** How many bytes it has sent to browsers. */
  sentBytes(): number;
  close(): Promise<void>;
}

const dist = path.join(import.meta.dirname, '..', 'dist', 'web');
/** Matches the names of built files, which end in a hash of their content. */
const builtName = /[\w.-]+-[\w-]{8}\.(?:js|css|woff2|webp|png|svg|json|wasm)/g;

interface ServedFile {
  body: string | Buffer;
  type: string;
  cacheControl: string;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The build as it would be called had something changed in every file. */
function newerBuild(mark: string, cacheControl: string) {
  const names = new Map(
    fs
      .readdirSync(path.join(dist, 'assets'))
      .filter((name) => !/\.(br|gz)$/.test(name))
      .map((name) => [name, name.replace(/[\w-]{3}(\.\w+)$/, `${mark}$1`)]),
  );
  const formerOf = new Map([...names].map(([former, newer]) => [newer, former]));
  const rename = (text: string) => text.replaceAll(builtName, (name) => names.get(name) ?? name);
  return {
    rename,
    /** What the newer build has at a path; undefined for nothing, null where that is up to the server. */
    fileAt: (pathname: string): ServedFile | null | undefined => {
      if (pathname === '/sw.js') {
        const worker = rename(fs.readFileSync(path.join(dist, 'sw.js'), 'utf8'));
        // A file without such a name is distinguished by its revision.
        const body = worker.replaceAll(/(revision:[`"'])\w{3}/g, `$1${mark}`);
        return { body, type: types['.js']!, cacheControl: 'no-cache' };
      }
      if (!pathname.startsWith('/assets/')) return null;
      const former = formerOf.get(path.basename(pathname));
      if (former === undefined) return undefined;
      const bytes = fs.readFileSync(path.join(dist, 'assets', former));
      const extension = path.extname(former);
      return {
        body: /\.(js|css)$/.test(former) ? rename(bytes.toString('utf8')) : bytes,
        type: types[extension] ?? 'application/octet-stream',
        cacheControl,
      };
    },
  };
}

type NewerBuild = ReturnType<typeof newerBuild>;

/** Hands a request to the real server. Its pages come as they are in the newer build, where there is one. */
function passOn(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  target: string,
  newer: NewerBuild | null,
): void {
  const { hostname, port } = new URL(target);
  const { pathname } = new URL(request.url ?? '/', target);
  const isPage = pathname === '/index.html' || pageAt(pathname) !== null;
  const build = isPage ? newer : null;
  const { 'accept-encoding': _packed, 'if-none-match': _known, ...bare } = headersFor(target, request);
  const headers = build === null ? headersFor(target, request) : bare;
  const onward = http.request(
    { hostname, port, method: request.method, path: request.url, headers },
    (answer) => {
      if (build === null) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      const { 'content-length': _length, etag: _etag, ...rest } = answer.headers;
      void readAll(answer).then((html) => {
        response.writeHead(answer.statusCode ?? 502, rest);
        response.end(build.rename(html));
      });
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

/** What a browser has said, as if it had said it to the real server. */
function headersFor(
  target: string,
  { headers }: IncomingMessage,
): Record<string, string | string[] | undefined> {
  const all = { ...headers, host: new URL(target).host };
  if (headers.origin !== undefined) all.origin = target;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * Starts a server in front of the one at `target`; it passes everything on until it is updated.
 * @param of `cacheControl`: how long browsers keep the files of newer builds, as the real server says or not;
 *   `workerAfterMs`: how long the service worker's script is on its way.
 */
export async function startFront(
  target: string,
  {
    cacheControl = 'public, max-age=31536000, immutable',
    workerAfterMs = 0,
  }: { cacheControl?: string | undefined; workerAfterMs?: number } = {},
): Promise<Front> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let sentBefore = 0;
  let releases = 0;
  let newer: NewerBuild | null = null;

  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', target);
    if (pathname === '/sw.js') await sleep(workerAfterMs);
    const file = newer === null ? null : newer.fileAt(pathname);
    if (file === null) passOn({ request, response }, target, newer);
    else if (file === undefined) response.writeHead(404, { 'cache-control': 'no-store' }).end();
    else
      response
        .writeHead(200, { 'content-type': file.type, 'cache-control': file.cacheControl })
        .end(request.method === 'HEAD' ? '' : file.body);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sentBefore += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const onward = net.connect(Number(port), hostname, () => {
      const lines = Object.entries(headersFor(target, request)).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [onward, socket]) each.on('error', () => [onward, socket].map((one) => one.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    release: () => {
      releases++;
      const mark = `N${releases}x`;
      newer = newerBuild(mark, cacheControl);
      return mark;
    },
    sentBytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentBefore),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

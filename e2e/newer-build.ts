import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import path from 'node:path';

/** A server in front of the real one, which can be updated under the pages that are open. */
export interface Front {
  url: string;
  /**
   * From now on it serves a newer build: every file has another name and says so, and the files of before are
   * gone. Returns what the names of its files have in them.
   */
  release(): string;
  /** How many bytes it has sent to browsers. */
  sentBytes(): number;
  close(): Promise<void>;
}

const dist = path.join(import.meta.dirname, '..', 'dist', 'web');
/** A file of the build, whose name ends in eight letters that change with what is in it. */
const builtName = /[\w.-]+-[\w-]{8}\.(?:js|css|woff2|webp|png|svg|json|wasm)/g;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The build as it would be called had something changed in every file. */
function newerBuild(mark: string) {
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
    /** What the newer build has at a path; null where that is up to the server, undefined where it has nothing. */
    fileAt: (pathname: string): { body: string | Buffer; type: string } | null | undefined => {
      if (pathname === '/sw.js') {
        const worker = rename(fs.readFileSync(path.join(dist, 'sw.js'), 'utf8'));
        // What has no such name is told apart by its revision.
        const body = worker.replaceAll(/(revision:[`"'])\w{3}/g, `$1${mark}`);
        return { body, type: types['.js']! };
      }
      if (!pathname.startsWith('/assets/')) return null;
      const former = formerOf.get(path.basename(pathname));
      if (former === undefined) return undefined;
      const bytes = fs.readFileSync(path.join(dist, 'assets', former));
      const extension = path.extname(former);
      return {
        body: /\.(js|css)$/.test(former) ? rename(bytes.toString('utf8')) : bytes,
        type: types[extension] ?? 'application/octet-stream',
      };
    },
  };
}

/** Starts a server in front of the one at `target`; it passes everything on until it is updated. */
export async function startFront(target: string): Promise<Front> {
  const { host, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let sentBefore = 0;
  let releases = 0;
  let newer: ReturnType<typeof newerBuild> | null = null;

  const headersOf = ({ headers }: IncomingMessage) => ({
    ...headers,
    host,
    ...(headers.origin === undefined ? {} : { origin: target }),
  });
  const passOn = (request: IncomingMessage, response: ServerResponse) => {
    const isPage = newer !== null && request.headers.accept?.includes('text/html') === true;
    const isIndex = newer !== null && request.url?.startsWith('/index.html') === true;
    const { 'accept-encoding': packed, 'if-none-match': known, ...bare } = headersOf(request);
    const headers = isPage || isIndex ? bare : { ...bare, 'accept-encoding': packed, 'if-none-match': known };
    const onward = http.request(
      { hostname, port, method: request.method, path: request.url, headers: defined(headers) },
      (answer) => {
        if (!isPage && !isIndex) {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
          return;
        }
        const { 'content-length': _length, etag: _etag, ...rest } = answer.headers;
        void readAll(answer).then((html) => {
          response.writeHead(answer.statusCode ?? 502, rest);
          response.end(newer?.rename(html));
        });
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };

  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', target);
    const file = newer === null ? null : newer.fileAt(pathname);
    if (file === null) passOn(request, response);
    else if (file === undefined) response.writeHead(404, { 'cache-control': 'no-store' }).end();
    else
      response
        .writeHead(200, { 'content-type': file.type, 'cache-control': 'no-cache' })
        .end(request.method === 'HEAD' ? '' : file.body);
  });
  server.on('request', (q, r) => { const s = q.socket.bytesWritten; r.on('close', () => process.env.DBG && (r.statusCode === 404 || !newer) && console.log(q.method, q.url, r.statusCode, q.socket.bytesWritten - s)); });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sentBefore += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const onward = net.connect(Number(port), hostname, () => {
      const lines = Object.entries(defined(headersOf(request))).map(([name, value]) => `${name}: ${value}`);
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
      newer = newerBuild(mark);
      return mark;
    },
    sentBytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentBefore),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const defined = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

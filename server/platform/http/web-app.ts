import fs from 'node:fs';
import path from 'node:path';
import { constants as zlib } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import fastifyHelmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { typeOfFile, type Files } from '../storage/files.ts';
import { pagePolicy } from './content-policy.ts';

const builtFolder = path.join(import.meta.dirname, '..', '..', '..', 'dist');
export const builtWebFolder = path.join(builtFolder, 'web');
/** Files of earlier builds, for pages that were open when the server was updated. */
const formerWebFolder = path.join(builtFolder, 'former');

const day = 86_400;
const forever = 'public, max-age=31536000, immutable';

export interface WebAppOptions {
  env: Pick<Env, 'TILES_URL' | 'STRIPE_PUBLISHABLE_KEY' | 'HSTS_SUBDOMAINS' | 'PUBLIC_URL' | 'publicUrl'>;
  files: Pick<Files, 'read'>;
  /** The folders of the region packs, by name. */
  regionFolders: ReadonlyMap<string, string>;
  /** Where the built web app lies. */
  webFolder?: string;
  /** Where `assets/` of earlier builds lies; it may be missing. */
  formerFolder?: string;
}

/**
 * Serves the files that are no calls: the web app's own, the region's map, public ones; with the headers that
 * keep a browser from running anything else. To be called before any route is added.
 */
export async function serveWebApp(
  http: FastifyInstance,
  { env, files, regionFolders, webFolder = builtWebFolder, formerFolder = formerWebFolder }: WebAppOptions,
): Promise<void> {
  await http.register(fastifyHelmet, helmetOptions(env));
  http.addHook('onSend', async (request, reply) => {
    // A call's answer is no page: it runs nothing and asks a device for nothing, and most are a few bytes.
    if (String(reply.getHeader('content-type')).startsWith('application/json')) {
      void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
      // Of an unchanged read there is no content to guard. An app that is opened again hears little else.
      const isUnchanged = reply.statusCode === 304;
      for (const name of isUnchanged ? [...ofPagesAlone, ...ofContentAlone] : ofPagesAlone)
        void reply.removeHeader(name);
    } else if (isPartOfPage.test(request.url)) {
      // Saves a kilobyte for each of two dozen files: browsers use these headers only for pages and workers.
      for (const name of [...ofPagesAlone, 'content-security-policy', 'referrer-policy'])
        void reply.removeHeader(name);
    } else void reply.header('permissions-policy', permissions);
  });
  await http.register(fastifyCompress, {
    // A second per megabyte at brotli's own default is no way to answer; 5 is as fast as gzip and smaller.
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } },
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
  await http.register(fastifyStatic, {
    root: webFolder,
    serve: false,
    cacheControl: false,
    // The build has written a brotli and a gzip copy of each text file.
    preCompressed: true,
  });

  http.get('/assets/*', packed, (request, reply) => {
    const name = wildcard(request);
    const folder = isFileIn(path.join(webFolder, 'assets'), name) ? webFolder : formerFolder;
    return send(reply, path.join(folder, 'assets'), name, forever);
  });
  http.get('/:file', packed, (request, reply) => send(reply, webFolder, fileName(request), 'no-cache'));

  for (const [pack, packFolder] of regionFolders) {
    for (const name of ['map.pmtiles', 'land.geojson'])
      http.get(`/region/${pack}/${name}`, name.endsWith('.pmtiles') ? packed : hidden, (_request, reply) =>
        send(reply, packFolder, name, `public, max-age=${day}`),
      );
  }
  http.get('/files/*', packed, async (request, reply) => {
    const name = wildcard(request);
    const bytes = isSound(name) ? await files.read(`public/${name}`) : null;
    if (bytes === null) return sendNotFound(reply);
    // A picture is shown, never run: an SVG opened by itself gets no scripts, no origin.
    void reply.header('content-security-policy', "default-src 'none'; sandbox");
    return reply.header('cache-control', forever).type(typeOfFile(name)).send(bytes);
  });
  http.setNotFoundHandler((_request, reply) => sendNotFound(reply));
}

/** The device features that the app uses, itself alone; frames and everything else of a device are off. */
const permissions = [
  'camera=(self)',
  'geolocation=(self)',
  'screen-wake-lock=(self)',
  'payment=(self)',
  'microphone=()',
  'display-capture=()',
  'usb=()',
  'serial=()',
  'hid=()',
  'midi=()',
  'accelerometer=()',
  'gyroscope=()',
  'magnetometer=()',
].join(', ');

/** A script, a style sheet or a font of a page; not the map's worker, an `.mjs` file. */
const isPartOfPage = /^\/assets\/[\w.-]+\.(js|css|woff2)$/;

/** Headers by helmet for browsers that draw a page; that no page frames a call, its policy says already. */
const ofPagesAlone = [
  'x-frame-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/** Headers about the content of an answer, which guard it. */
const ofContentAlone = [
  'content-type',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
];

export const hidden = { schema: { hide: true } };
/** Files that have been packed before, or that packing makes no smaller. */
const packed = { ...hidden, compress: false as const };

function send(reply: FastifyReply, folder: string, name: string, cacheControl: string): FastifyReply {
  if (!isFileIn(folder, name)) return sendNotFound(reply);
  void reply.headers({ 'cache-control': cacheControl, vary: 'accept-encoding' });
  return reply.sendFile(name, folder);
}

const isFileIn = (folder: string, name: string): boolean =>
  isSound(name) && fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile() === true;

/** To ask a file system for a longer name is an error. */
const longestName = 255;

/** No hidden file, and nothing that leads out of the folder. */
const isSound = (name: string): boolean =>
  name.length <= longestName && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name);

export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send('We couldn’t find this page.');

const wildcard = (request: FastifyRequest): string => (request.params as { '*': string })['*'];
const fileName = (request: FastifyRequest): string => (request.params as { file: string }).file;

function helmetOptions(env: WebAppOptions['env']) {
  const isSecure = new URL(env.publicUrl).protocol === 'https:';
  return {
    contentSecurityPolicy: { useDefaults: false, directives: pagePolicy(env) },
    crossOriginEmbedderPolicy: false,
    // Over plain http browsers ignore these three, and say so in the console.
    strictTransportSecurity: isSecure ? { maxAge: 365 * day, includeSubDomains: env.HSTS_SUBDOMAINS } : false,
    crossOriginOpenerPolicy: isSecure ? { policy: 'same-origin' } : false,
    originAgentCluster: isSecure,
  } satisfies FastifyHelmetOptions;
}

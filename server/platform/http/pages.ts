import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '#contract/formats/intl.ts';
import type { Env } from '../env.ts';
import { acceptedLanguage } from './accepted-language.ts';
import { hashOf } from './content-policy.ts';
import { networkOf } from './network.ts';
import {
  pageHtml,
  pageTemplate,
  type PageHead,
  type PageTemplate,
  readPageFiles,
  type PartsOf,
} from './page-html.ts';
import { builtWebFolder, hidden, sendNotFound } from './web-app.ts';

/** The address that a browser or a crawler opens. */
export interface PageAsk {
  path: string;
  query: URLSearchParams;
  language: Language;
  /** The network it comes from, as limits count it. */
  network: string;
}

/** An address's description of itself; 404 brings the app too, which shows that there is nothing. */
export interface PageAnswer {
  status: 200 | 404;
  head: PageHead;
}

export interface PagesOptions {
  env: Pick<Env, 'PUBLIC_URL' | 'publicUrl' | 'DEMO'>;
  describe: (ask: PageAsk) => Promise<PageAnswer>;
  /** The configuration, written into each page; a browser may cache it. */
  config: () => Readonly<Record<string, unknown>>;
  /** Where the built web app lies. */
  webFolder?: string;
}

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Serves the app's pages: one file, with the head that tells its address apart. Returns what sends the page
 * of any other address, which is none of the app's: 404.
 */
export function servePages(
  http: FastifyInstance,
  { env, describe, config, webFolder = builtWebFolder }: PagesOptions,
): SendPage {
  const readTemplate = templateIn(webFolder);
  const sendPage: SendPage = async (request, reply) => {
    if (!/text\/html|\*\/\*/.test(request.headers.accept ?? '*/*')) return sendNotFound(reply);
    if (isOtherNameOfThisMachine(request.headers.host ?? '', env))
      return reply.header('cache-control', 'no-store').redirect(env.publicUrl + request.url);
    const built = readTemplate();
    if (built === null)
      return reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built: npm start.');
    const { pathname, searchParams } = new URL(request.url, env.publicUrl);
    const language = acceptedLanguage(request.headers['accept-language']);
    const { status, head } = await describe({
      path: pathname,
      query: searchParams,
      language,
      network: networkOf(request.ip),
    });
    if (!head.isIndexed) void reply.header('x-robots-tag', 'noindex');
    const parts = built.partsOf(pathname, { language, isDemo: env.DEMO });
    if (parts.startScript !== null) allowScript(reply, parts.startScript);
    return sendHtml(
      request,
      reply.code(status),
      pageHtml(built.template, head, { ...parts, config: config() }),
    );
  };
  http.get('/', hidden, sendPage);
  http.get('/intro', hidden, sendPage);
  http.get('/pages/*', hidden, sendPage);
  return sendPage;
}

/** Allows the one script in the page's HTML, by its hash, and no other. */
function allowScript(reply: FastifyReply, script: string): void {
  const policy = String(reply.getHeader('content-security-policy') ?? "script-src 'self'");
  void reply.header(
    'content-security-policy',
    policy.replace("script-src 'self'", `script-src 'self' ${hashOf(script)}`),
  );
}

/** Browsers revalidate it each time; it is sent again only where it differs. */
function sendHtml(request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply {
  const tag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ 'cache-control': 'no-cache', etag: tag, vary: 'accept-language, accept-encoding' });
  if (reply.statusCode === 200 && request.headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(html);
}

interface Built {
  template: PageTemplate;
  partsOf: PartsOf;
}

/** Reads the built page again whenever a build has written it; null where it is not built. */
function templateIn(webFolder: string): () => Built | null {
  const file = path.join(webFolder, 'index.html');
  let read: (Built & { at: number }) | null = null;
  return () => {
    const at = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (at === undefined) return null;
    if (read?.at !== at)
      read = {
        at,
        template: pageTemplate(fs.readFileSync(file, 'utf8')),
        partsOf: readPageFiles(webFolder),
      };
    return read;
  };
}

const namesOfThisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether the app was opened under another name of this very machine than its own: to a browser that is
 * another site, where no one is signed in who comes back to the first one. Names of other machines may lead
 * here over a proxy.
 */
function isOtherNameOfThisMachine(
  host: string,
  { PUBLIC_URL: given, publicUrl }: Pick<Env, 'PUBLIC_URL' | 'publicUrl'>,
): boolean {
  const [opened, own] = [URL.parse(`http://${host}`), new URL(publicUrl)];
  if (given !== undefined || opened === null || opened.host === own.host) return false;
  return (
    opened.port === own.port &&
    namesOfThisMachine.has(opened.hostname) &&
    namesOfThisMachine.has(own.hostname)
  );
}

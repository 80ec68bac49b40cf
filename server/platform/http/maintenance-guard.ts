import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { words } from '#locales/server.ts';
import type { Maintenance, MaintenanceState } from '../maintenance.ts';
import { Refusal } from '../refusal.ts';
import { isApiKey, type AuthenticateKey } from '../security/api-key.ts';
import { hashOf } from './content-policy.ts';
import { acceptedLanguage } from './accepted-language.ts';
import type { Caller } from './caller.ts';
import { networkOf } from './network.ts';
import { escaped } from './page-html.ts';
import type { Authenticate } from '../security/session.ts';

/** When clients should try again. */
const retryAfterSeconds = 60;

/**
 * Pages that admins need to sign in, with a second factor, and to work. Their HTML contains no personal data.
 */
const pagesOfAdmins = /^\/pages\/(?:admin\/|login\/|auth\/|setup\/|account\/security$)/;
const pages = /^\/(?:$|intro$|pages\/|[er]\/)/;
/** Calls that admins need to sign in, and the app needs to start. */
const callsForAll = /^\/(?:access|app|setup)\//;

/** Team members can work during maintenance. */
export const staysInMaintenance = (caller: Pick<Caller, 'staffRole'> | null): boolean =>
  (caller?.staffRole ?? null) !== null;

/** Marks the routes of calls, to distinguish them from files. */
declare module 'fastify' {
  interface FastifyContextConfig {
    isCall?: boolean;
  }
}

/**
 * During maintenance, pages and calls answer 503 with the message; admins can still work. Files and
 * monitoring endpoints answer as usual.
 */
export function guardMaintenance(
  http: FastifyInstance,
  maintenance: Pick<Maintenance, 'state'>,
  known: Known,
): void {
  http.addHook('onRequest', async (request, reply) => {
    const { state } = maintenance;
    if (state === null) return;
    const path = request.url.split('?', 1)[0]!;
    if (request.routeOptions.config.isCall === true) {
      if (callsForAll.test(path) || staysInMaintenance(await callerOf(request, known))) return;
      return sendSentence(request, reply, state);
    }
    if (pages.test(path) && !pagesOfAdmins.test(path)) return sendPage(request, reply, state);
  });
}

/** Finds the caller of an access token, and of an API key. */
interface Known {
  authenticate: Authenticate;
  authenticateKey: AuthenticateKey;
}

async function callerOf(
  request: FastifyRequest,
  { authenticate, authenticateKey }: Known,
): Promise<Caller | null> {
  const header = request.headers.authorization ?? '';
  if (!header.startsWith('Bearer ')) return null;
  const token = header.slice(7);
  if (!isApiKey(token)) return authenticate(token);
  try {
    return await authenticateKey(token, networkOf(request.ip));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const closed = (reply: FastifyReply): FastifyReply =>
  reply.code(503).headers({ 'cache-control': 'no-store', 'retry-after': retryAfterSeconds });

function sendSentence(
  request: FastifyRequest,
  reply: FastifyReply,
  { message }: MaintenanceState,
): FastifyReply {
  const { maintenance } = words[acceptedLanguage(request.headers['accept-language'])];
  const sentence = `${maintenance.sentence} ${message}`.trim();
  return closed(reply).type('text/plain; charset=utf-8').send(sentence);
}

/** The page is self-contained: no script, no style sheet, no image. */
const style = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px;background:#f6f7f8;color:#1f2430;
font:17px/1.5 "Inter Variable",Inter,system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei",sans-serif}
main{width:100%;max-width:440px;text-align:center;text-wrap:balance}
svg{width:200px;height:120px;margin:0 auto 24px;display:block}
h1{margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:650}
p{margin:0 0 12px;color:#4a5262}
blockquote{margin:20px 0;padding:16px;border-radius:12px;background:#fff;box-shadow:0 1px 3px #1f243022;color:#1f2430;
text-align:start;text-wrap:wrap;white-space:pre-line;overflow-wrap:anywhere}
a{display:inline-block;min-height:44px;margin-top:12px;padding:10px 24px;border-radius:12px;background:#1f2430;color:#fff;
text-decoration:none;font-weight:600}
a:focus-visible{outline:3px solid #59bc6b;outline-offset:2px}
small{display:block;margin-top:24px;color:#6b7280;font-size:15px}
small a{all:unset;cursor:pointer;color:#1e7a35;text-decoration:underline}
small a:focus-visible{outline:2px solid #59bc6b}
`;
const policy = `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; frame-ancestors 'none'`;

/** A road, closed for a moment. */
const drawing = `<svg viewBox="0 0 200 120" fill="none" stroke="#1f2430" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 108 84 20M188 108 116 20" stroke="#b2b2b2"/><path d="M100 104v-12M100 76v-10M100 52v-8" stroke="#b2b2b2"/><path d="M58 62h84v18H58z" fill="#fff"/><path d="m66 80 12-18M86 80l12-18M106 80l12-18M126 80l12-18" stroke="#59bc6b" stroke-width="5"/><path d="M58 62h84v18H58zM68 80v26M132 80v26M60 106h16M124 106h16"/></svg>`;

function sendPage(request: FastifyRequest, reply: FastifyReply, { message }: MaintenanceState): FastifyReply {
  const language = acceptedLanguage(request.headers['accept-language']);
  const { maintenance } = words[language];
  const html = `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(maintenance.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${drawing}
<h1>${escaped(maintenance.title)}</h1>
<p>${escaped(maintenance.text)}</p>
${message === '' ? '' : `<blockquote>${escaped(message)}</blockquote>\n`}<a href="">${escaped(maintenance.again)}</a>
<small><a href="/pages/admin/admin">${escaped(maintenance.admins)}</a></small>
</main>
</body>
</html>
`;
  return closed(reply)
    .headers({ 'content-security-policy': policy, vary: 'accept-language' })
    .type('text/html; charset=utf-8')
    .send(html);
}

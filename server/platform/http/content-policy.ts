import { createHash } from 'node:crypto';
import type { Env } from '../env.ts';

/** The CSP source expression that allows an inline script or style with exactly this content. */
export const hashOf = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/**
 * The content security policy of the app's pages: they load and run only the server's own files and, if
 * configured, the hosted map (`TILES_URL`) and the card provider's form (`STRIPE_PUBLISHABLE_KEY`). Styles
 * come from files or scripts, never from HTML. Only the Trusted Types policies in web/core/trusted.ts turn
 * text into script or HTML.
 */
export function pagePolicy({
  TILES_URL: tilesUrl,
  STRIPE_PUBLISHABLE_KEY: stripeKey,
  publicUrl,
}: Pick<Env, 'TILES_URL' | 'STRIPE_PUBLISHABLE_KEY' | 'publicUrl'>) {
  const { protocol, host } = new URL(publicUrl);
  const tiles = tilesUrl === undefined ? [] : [new URL(tilesUrl).origin];
  const stripe = (...names: string[]) =>
    stripeKey === undefined ? [] : names.map((name) => `https://${name}.stripe.com`);
  const none = ["'none'"];
  return {
    defaultSrc: none,
    scriptSrc: ["'self'", ...stripe('js')],
    frameSrc: stripeKey === undefined ? none : stripe('js', 'hooks'),
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
    fontSrc: ["'self'", ...tiles],
    workerSrc: ["'self'"],
    manifestSrc: ["'self'"],
    // Older browsers do not treat a socket to the page's own host as 'self'.
    connectSrc: ["'self'", `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`, ...tiles, ...stripe('api')],
    objectSrc: none,
    baseUri: none,
    formAction: ["'self'"],
    frameAncestors: none,
    requireTrustedTypesFor: ["'script'"],
    // Stripe's script creates the policy named `default`.
    trustedTypes: ['sameway-scripts', 'sameway-emails', ...(stripeKey === undefined ? [] : ['default'])],
  };
}

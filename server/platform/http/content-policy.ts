import { createHash } from 'node:crypto';
import type { Env } from '../env.ts';

/** A line of HTML, script or style, as a policy knows it: any other does not count. */
export const hashOf = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/**
 * What a page of the app may load and run: its own files, and those of others where a setting names them: the
 * hosted map (`TILES_URL`) and the card provider's form (`STRIPE_PUBLISHABLE_KEY`). Styles stand in files or
 * are set by scripts, never in HTML. Text becomes script or HTML by the makers of web/core/trusted.ts alone.
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
    // Older browsers do not count a socket of the own host as 'self'.
    connectSrc: ["'self'", `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`, ...tiles, ...stripe('api')],
    objectSrc: none,
    baseUri: none,
    formAction: ["'self'"],
    frameAncestors: none,
    requireTrustedTypesFor: ["'script'"],
    // Stripe's script asks for the policy that is called `default`.
    trustedTypes: ['sameway-scripts', 'sameway-emails', ...(stripeKey === undefined ? [] : ['default'])],
  };
}

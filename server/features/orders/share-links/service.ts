import type { ShareLinkContext } from './context.ts';
import { openLink, viewLinkedOrder, viewPublicOrder } from './open-link.ts';
import { makeLink, pathBehindShortCode, readOwnLink } from './own-link.ts';

/**
 * Links to rides and requests for people outside their audience: a person who opens one joins the audience.
 */
export const createShareLinks = (context: ShareLinkContext) => ({
  read: readOwnLink.bind(null, context),
  make: makeLink.bind(null, context),
  look: viewLinkedOrder.bind(null, context),
  lookPublic: viewPublicOrder.bind(null, context),
  pathBehindShortCode: pathBehindShortCode.bind(null, context),
  open: openLink.bind(null, context),
});

import { pathBehindShortCode as pathOfEvent } from '../events/service.ts';
import { pathBehindShortCode as pathOfOrder } from '../orders/service.ts';
import type { PreviewContext } from './context.ts';
import { describePage } from './describe-page.ts';
import { createPictureDesk } from './picture/picture-desk.ts';
import { countLookUp } from './preview-of-thing.ts';
import { previewPicture } from './preview-picture.ts';
import { robotsText, sitemap, sitemapIndex } from './sitemap.ts';

export type PreviewsService = ReturnType<typeof createPreviews>;

/**
 * What addresses say of themselves to search engines, chats and link previews: only what a stranger may see.
 */
export function createPreviews(features: Omit<PreviewContext, 'pictures'>) {
  const context: PreviewContext = { ...features, pictures: createPictureDesk() };
  return {
    describe: describePage.bind(null, context),
    picture: previewPicture.bind(null, context),
    /** Where a short link leads: of an event (`e`) or of a ride or request (`r`); null for none. */
    pathBehind: async (kind: 'e' | 'r', code: string, network: string): Promise<string | null> => {
      countLookUp(context, 'short link', network);
      return kind === 'e' ? pathOfEvent(context.platform, code) : pathOfOrder(context.platform, code);
    },
    robots: () => robotsText(context.platform.env.publicUrl),
    sitemapIndex: sitemapIndex.bind(null, context),
    sitemap: sitemap.bind(null, context),
  };
}

import type { PreviewContext } from './context.ts';
import { describePage } from './describe-page.ts';
import { createPictureDesk } from './picture/picture-desk.ts';
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
    robots: () => robotsText(context.platform.env.publicUrl),
    sitemapIndex: sitemapIndex.bind(null, context),
    sitemap: sitemap.bind(null, context),
  };
}

import type { Language } from '#contract/formats/intl.ts';
import type { App } from '../../app-type.ts';
import { generalPreview } from './page-preview.ts';
import type { Picture } from './picture/picture-desk.ts';
import { countLookUp, previewOfThing, type Thing } from './preview-of-thing.ts';
import { drawingOf, type Preview } from './preview.ts';

/**
 * The picture of a thing as a stranger sees it, and the general one of what is private or not there. Refuses
 * `rate.limited`.
 */
export async function previewPicture(
  app: App,
  thing: Thing | null,
  { language, network }: { language: Language; network: string },
): Promise<Picture> {
  countLookUp(app, 'picture', network);
  const preview: Preview | null = thing === null ? null : await previewOfThing(app, thing, language);
  return app.previews.pictures(drawingOf(preview ?? generalPreview(language), language));
}

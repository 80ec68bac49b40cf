import type { Language } from '#contract/formats/intl.ts';
import { drawingOf, type Preview, type PreviewContext } from './context.ts';
import { generalPreview } from './page-preview.ts';
import type { Picture } from './picture/picture-desk.ts';
import { countLookUp, previewOfThing, type Thing } from './preview-of-thing.ts';

/**
 * The picture of a thing as a stranger sees it, and the general one of what is private or not there. Refuses
 * `rate.limited`.
 */
export async function previewPicture(
  context: PreviewContext,
  thing: Thing | null,
  { language, network }: { language: Language; network: string },
): Promise<Picture> {
  countLookUp(context, 'picture', network);
  const preview: Preview | null = thing === null ? null : await previewOfThing(context, thing, language);
  return context.pictures(drawingOf(preview ?? generalPreview(language), language));
}

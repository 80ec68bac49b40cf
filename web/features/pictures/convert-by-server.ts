import { Offline } from '../../core/errors.ts';
import { NotUsable, openPicture, type OpenPicture } from '../../core/prepare-picture.ts';
import { uploadPicture } from '../../core/upload.ts';
import { i18n } from '../../core/i18n.ts';

/**
 * Opens a HEIC photo that this browser cannot open, as the server draws it.
 * @throws NotUsable, and as `uploadPicture` does
 */
export async function convertByServer(
  file: File,
  onProgress: (share: number) => void,
): Promise<{ picture: OpenPicture; blob: Blob }> {
  onProgress(0);
  const { url } = await uploadPicture('uncut', file, onProgress);
  const answer = await fetch(url).catch(() => null);
  if (answer === null || !answer.ok) throw new Offline(false);
  const blob = await answer.blob();
  const picture = await openPicture(new File([blob], 'photo.webp', { type: blob.type }));
  if (picture === null) throw new NotUsable(i18n.t('reasons:upload.damaged'));
  return { picture, blob };
}

import { maxPictureBytes, maxPictureSize } from '#contract/pictures/endpoints.ts';
import { i18n } from './i18n.ts';

/** A chosen file that cannot be sent, in the person's language. */
export class NotUsable extends Error {}

/** A picture that is opened: drawn upright, and how to let go of it. */
export interface OpenPicture {
  bitmap: ImageBitmap;
  width: number;
  height: number;
}

/** By its first bytes too: a photo that was renamed, or sent on by another app, often claims to be a JPEG. */
async function isHeic(file: File): Promise<boolean> {
  if (/hei[cf]/i.test(file.type) || /\.hei[cf]$/i.test(file.name)) return true;
  return /^ftyp(?:hei|hev|mif1|msf1)/.test(await file.slice(4, 12).text());
}

/**
 * Opens a chosen photo; null for a HEIC photo that this browser cannot open, as most cannot: the server can.
 * @throws NotUsable
 */
export async function openPicture(file: File): Promise<OpenPicture | null> {
  if (file.size > maxPictureBytes)
    throw new NotUsable(i18n.t('reasons:upload.tooLarge', { size: maxPictureSize }));
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    return { bitmap, width: bitmap.width, height: bitmap.height };
  } catch {
    if (await isHeic(file)) return null;
    throw new NotUsable(i18n.t('reasons:upload.notPicture'));
  }
}

/** A picture as it is sent. */
export interface PreparedPicture {
  blob: Blob;
  /** Null where this browser cannot show it. */
  size: { width: number; height: number } | null;
}

/**
 * Makes a chosen photo small; a HEIC photo that this browser cannot open stays as it is.
 * @throws NotUsable
 */
export async function preparePicture(
  file: File,
  wanted: { longestSide: number; quality: number },
): Promise<PreparedPicture> {
  const picture = await openPicture(file);
  if (picture === null) return { blob: file, size: null };
  const { width, height } = picture;
  return { blob: await compress(picture, wanted), size: { width, height } };
}

/** Part of a picture, no larger than `longestSide`, as a JPEG that is quick to send. */
export async function compress(
  { bitmap, width, height }: OpenPicture,
  {
    longestSide,
    quality,
    part = { left: 0, top: 0, width, height },
  }: {
    longestSide: number;
    quality: number;
    part?: { left: number; top: number; width: number; height: number };
  },
): Promise<Blob> {
  const scale = Math.min(1, longestSide / Math.max(part.width, part.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(part.width * scale));
  canvas.height = Math.max(1, Math.round(part.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new NotUsable(i18n.t('reasons:upload.damaged'));
  context.imageSmoothingQuality = 'high';
  // A JPEG has no holes: what is see-through becomes white, not black.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, part.left, part.top, part.width, part.height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', quality);
  });
  if (blob === null) throw new NotUsable(i18n.t('reasons:upload.damaged'));
  return blob;
}

import sharp from 'sharp';
import { maxPictureBytes, type PicturePurpose } from '#contract/pictures/endpoints.ts';
import { tooLarge } from '../../platform/http/upload.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { convertHeic, oneHeicAtATime } from './heic/convert-heic.ts';
import { contentOf, hidesAnotherFile } from './rules/content.ts';
import { decodedBytes, maxDecodedBytes, maxPixels, mayBeDecoded } from './rules/decoded-size.ts';

/** A redrawn picture: it contains only the pixels of the uploaded file. */
export interface Redrawn {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Most memory for pictures that are decoded at the same time: room for the largest plus a usual one. */
const mostBytesAtATime = 370_000_000;
const avatar = { side: 512, quality: 82 };
/**
 * Size and quality by purpose: small print must stay readable, a chat's picture must load quickly, an event's
 * is also printed on posters.
 */
const within = {
  license: { side: 2400, quality: 88 },
  chat: { side: 1600, quality: 80 },
  event: { side: 1600, quality: 82 },
  uncut: { side: 1600, quality: 90 },
} as const;

// Each picture is decoded once, so caching decoded ones would not help.
sharp.cache(false);

/**
 * Decodes a picture and redraws it as WebP, upright, without metadata; an avatar is cut to a square. Refuses
 * `upload.tooLarge`, `upload.notPicture`, `upload.hidesFile`, `upload.tooManyPixels`, `upload.damaged`; where
 * many HEIC photos wait, `server.busy`.
 */
export async function redraw(file: Buffer, purpose: PicturePurpose): Promise<Redrawn> {
  if (file.length > maxPictureBytes) throw tooLarge();
  const content = contentOf(file);
  if (content === 'other') throw notPicture();
  if (hidesAnotherFile(file)) throw hidesFile();
  if (content === 'heic')
    return oneHeicAtATime(() => whileFits(maxDecodedBytes, () => redrawHeic(file, purpose)));
  const bytes = await bytesOf(file);
  return whileFits(bytes, () => decode(file, purpose));
}

const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true } as const;

/**
 * The memory that decoding needs, computed from the header: a picture that needs too much is never decoded.
 */
async function bytesOf(file: Buffer): Promise<number> {
  try {
    const header = await sharp(file, { ...options, limitInputPixels: false }).metadata();
    if (!mayBeDecoded(header)) throw tooManyPixels();
    return decodedBytes(header);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw damaged();
  }
}

async function redrawHeic(file: Buffer, purpose: PicturePurpose): Promise<Redrawn> {
  const answer = await convertHeic(file);
  if ('file' in answer) return decode(Buffer.from(answer.file.buffer), purpose);
  throw { notPicture, tooManyPixels, damaged }[answer.refused]();
}

async function decode(file: Buffer, purpose: PicturePurpose): Promise<Redrawn> {
  try {
    const upright = sharp(file, options).rotate();
    const { side, quality } = purpose === 'avatar' ? avatar : within[purpose];
    const sized =
      purpose === 'avatar'
        ? upright.resize(side, side, { fit: 'cover' })
        : upright.resize(side, side, { fit: 'inside', withoutEnlargement: true });
    const { data, info } = await sized
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .webp({ quality })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    throw damaged();
  }
}

let takenBytes = 0;
const waiting: { bytes: number; begin: () => void }[] = [];

/** Runs `work` once there is memory for it and the running jobs, in the order of the calls. */
async function whileFits<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  if (waiting.length > 0 || takenBytes + bytes > mostBytesAtATime)
    await new Promise<void>((resolve) => waiting.push({ bytes, begin: resolve }));
  else takenBytes += bytes;
  try {
    return await work();
  } finally {
    takenBytes -= bytes;
    // A started job's memory is already reserved, so that no later picture can take it.
    while (waiting[0] !== undefined && takenBytes + waiting[0].bytes <= mostBytesAtATime) {
      const next = waiting.shift()!;
      takenBytes += next.bytes;
      next.begin();
    }
  }
}

const notPicture = () =>
  refuseField(
    'upload.notPicture',
    'file',
    'This isn’t a picture. Please choose a JPEG, PNG, WebP or HEIC file.',
  );
const hidesFile = () =>
  refuseField(
    'upload.hidesFile',
    'file',
    'This file holds more than a picture. Please take a new photo, or save it as JPEG.',
  );
const tooManyPixels = () =>
  refuseField('upload.tooManyPixels', 'file', 'This picture is too large. Please choose a smaller one.');
const damaged = () =>
  refuseField('upload.damaged', 'file', 'This picture is damaged. Please choose another one.');

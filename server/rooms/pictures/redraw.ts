import sharp from 'sharp';
import { maxPictureBytes, type PicturePurpose } from '#contract/pictures/endpoints.ts';
import { Refusal, refuseField } from '../../base/refusal.ts';
import { tooLarge } from '../../base/upload.ts';
import { contentOf, hidesAnotherFile } from './rules/content.ts';

/** A picture drawn anew: nothing of the file that was sent is in it but what one sees. */
export interface Redrawn {
  bytes: Buffer;
  width: number;
  height: number;
}

/** More than any telephone's camera, far less than a small file can claim to hold. */
const maxPixels = 64_000_000;
/** A row is decoded as a whole, however few rows there are: the area alone bounds no memory. */
const maxSidePixels = 20_000;
/** So many are decoded at a time: each can take a quarter of a gigabyte for a moment. */
const atATime = 2;
const avatar = { side: 512, quality: 82 };
/** How each kind is fitted: small print must stay readable, a picture in a chat must come quickly, an event's hangs on a poster too. */
const within = {
  licence: { side: 2400, quality: 88 },
  chat: { side: 1600, quality: 80 },
  event: { side: 1600, quality: 82 },
} as const;

// Pictures come one at a time and differ, so keeping decoded ones in memory helps nobody.
sharp.cache(false);

/**
 * Decodes a picture and draws it anew as WebP, upright, without metadata; an avatar is cut to a square.
 * Refuses `upload.tooLarge`, `upload.heic`, `upload.notPicture`, `upload.hidesFile`, `upload.tooManyPixels`,
 * `upload.damaged`.
 */
export async function redraw(file: Buffer, purpose: PicturePurpose): Promise<Redrawn> {
  if (file.length > maxPictureBytes) throw tooLarge();
  const content = contentOf(file);
  if (content === 'heic') throw heic();
  if (content === 'other') throw notPicture();
  if (hidesAnotherFile(file)) throw hidesFile();
  return oneOfFew(() => decode(file, purpose));
}

async function decode(file: Buffer, purpose: PicturePurpose): Promise<Redrawn> {
  const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true } as const;
  try {
    // The header alone tells the size: a picture that would not fit into memory is never opened.
    const { width, height } = await sharp(file, { ...options, limitInputPixels: false }).metadata();
    if (width * height > maxPixels || Math.max(width, height) > maxSidePixels) throw tooManyPixels();
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
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw damaged();
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work` once fewer than a few others run, in the order of asking. */
async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // Whoever waits takes this place over; nobody who comes meanwhile can.
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

const notPicture = () =>
  refuseField('upload.notPicture', 'file', 'This is not a picture. Please choose a JPEG, PNG or WebP file.');
const heic = () =>
  refuseField(
    'upload.heic',
    'file',
    'This is a HEIC picture, which cannot be read here. Please send it as JPEG, or choose “Most Compatible” in the camera’s settings.',
  );
const hidesFile = () =>
  refuseField(
    'upload.hidesFile',
    'file',
    'This file holds more than a picture. Please take a new photo or save it again as JPEG.',
  );
const tooManyPixels = () =>
  refuseField(
    'upload.tooManyPixels',
    'file',
    'This picture has too many pixels. Please choose a smaller one.',
  );
const damaged = () =>
  refuseField('upload.damaged', 'file', 'This picture is damaged. Please choose another one.');

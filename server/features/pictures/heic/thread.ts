// A worker thread that decodes one HEIC file and ends.
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { isHalved, maxDecodedBytes, maxPixels, mayBeDecoded } from '../rules/decoded-size.ts';
import { orientationOf } from '../rules/orientation.ts';
import { HeifError, heifCodes, openHeif, type HeifPicture, type Plane } from './open-heif.ts';
import { headBytesOf, writeHead, type Pixels } from './tiff.ts';

type Tiff = Uint8Array<ArrayBuffer>;
/** A TIFF with the same pixels, or why there is none. */
export type Answer = { file: Tiff } | { refused: 'notPicture' | 'tooManyPixels' | 'damaged' };

/**
 * Linux has a priority for each thread; elsewhere it would apply to the whole process. Never above the
 * process's own, which may have been started with a lower one.
 */
const lowPriority = 12;
if (process.platform === 'linux') os.setPriority(Math.max(lowPriority, os.getPriority()));

/** A TIFF without its pixels yet, and a function that lays a plane into it at (`left`, `top`). */
function emptyTiff(pixels: Pixels) {
  const { width, height, channels } = pixels;
  const headBytes = headBytesOf(pixels);
  const file = new Uint8Array(headBytes + width * height * channels);
  writeHead(file, pixels);
  const lay = (plane: Plane, left: number, top: number) => {
    const rowBytes = Math.min(plane.width, width - left) * channels;
    for (let row = 0; row < Math.min(plane.height, height - top); row++) {
      const from = row * plane.bytesPerRow;
      const to = headBytes + ((top + row) * width + left) * channels;
      file.set(plane.bytes.subarray(from, from + rowBytes), to);
    }
  };
  return { file, lay };
}

/** Half as wide and half as high: each pixel the middle of four. */
function halved({ width, height, bytesPerRow, bytes }: Plane): Plane {
  const half = { width: width >> 1, height: height >> 1, bytesPerRow: (width >> 1) * 3 };
  const target = new Uint8Array(half.bytesPerRow * half.height);
  let at = 0;
  for (let row = 0; row < half.height; row++)
    for (let column = 0; column < half.width; column++)
      for (let channel = 0; channel < 3; channel++) {
        const from = 2 * row * bytesPerRow + 6 * column + channel;
        const below = from + bytesPerRow;
        target[at++] = (bytes[from]! + bytes[from + 3]! + bytes[below]! + bytes[below + 3]! + 2) >> 2;
      }
  return { ...half, bytes: target };
}

/** Part by part, so that the library never holds the whole picture. */
function tiffOfTiles({ profile, tiling, withTile }: HeifPicture, orientation: number): Tiff {
  const scale = isHalved(tiling) ? 2 : 1;
  const width = Math.floor(tiling.width / scale);
  const height = Math.floor(tiling.height / scale);
  const { file, lay } = emptyTiff({ width, height, channels: 3, orientation, profile });
  const tileWidth = tiling.tileWidth / scale;
  const tileHeight = tiling.tileHeight / scale;
  // Parts beyond the edges are not decoded.
  for (let row = 0; row < tiling.rows && row * tileHeight < height; row++)
    for (let column = 0; column < tiling.columns && column * tileWidth < width; column++)
      withTile(column, row, (plane) =>
        lay(scale === 2 ? halved(plane) : plane, column * tileWidth, row * tileHeight),
      );
  return file;
}

function tiffOfWhole({ hasAlpha, profile, decode }: HeifPicture): Tiff {
  const plane = decode();
  const { width, height } = plane;
  const channels = hasAlpha ? 4 : 3;
  const { file, lay } = emptyTiff({ width, height, channels, orientation: 1, profile });
  lay(plane, 0, 0);
  return file;
}

/** Whether each part can be decoded by itself, and turned afterwards by an orientation. */
const isInParts = ({ tiling, transforms, hasAlpha }: HeifPicture): boolean =>
  tiling.columns * tiling.rows > 1 &&
  tiling.tileWidth % 2 === 0 &&
  tiling.tileHeight % 2 === 0 &&
  transforms !== null &&
  !hasAlpha;

function answer(bytes: Uint8Array): Answer {
  try {
    const picture = openHeif(bytes, { pixels: maxPixels, bytes: maxDecodedBytes });
    const { tiling, transforms, hasAlpha } = picture;
    const inParts = isInParts(picture);
    const format = inParts ? 'tiled heif' : 'heif';
    const channels = hasAlpha ? 4 : 3;
    if (!mayBeDecoded({ format, width: tiling.width, height: tiling.height, channels }))
      return { refused: 'tooManyPixels' };
    return { file: inParts ? tiffOfTiles(picture, orientationOf(transforms ?? [])) : tiffOfWhole(picture) };
  } catch (error) {
    return { refused: error instanceof HeifError ? refusalOf(error) : 'damaged' };
  }
}

function refusalOf({ code, subcode }: HeifError): 'notPicture' | 'tooManyPixels' | 'damaged' {
  if (subcode === heifCodes.limitExceeded) return 'tooManyPixels';
  // Another format in the same container, such as AVIF, or a film.
  const isForeign = code === heifCodes.unsupported || code === heifCodes.noDecoder;
  if (isForeign || subcode === heifCodes.noPrimaryPicture) return 'notPicture';
  return 'damaged';
}

const said = answer(workerData as Uint8Array);
parentPort?.postMessage(said, 'file' in said ? [said.file.buffer] : []);

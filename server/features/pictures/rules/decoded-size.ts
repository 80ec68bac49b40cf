/** The header of a picture, read without decoding; fields are named as in `sharp`. */
export interface Header {
  /** `tiled heif` for a HEIC photo in parts that are decoded by themselves, `heif` for one in one part. */
  format?: string | undefined;
  width: number;
  height: number;
  channels?: number | undefined;
  /** `uchar` for 8 bits in each channel, `ushort` for 16. */
  depth?: string | undefined;
  /** A progressive JPEG or an interlaced PNG. */
  isProgressive?: boolean | undefined;
  chromaSubsampling?: string | undefined;
  /** Frames of an animation. */
  pages?: number | undefined;
}

/** More than any phone's camera, far less than the size a small file can declare. */
export const maxPixels = 64_000_000;
/** A row is decoded as a whole, so a limit on the area alone would not bound the memory. */
export const maxSidePixels = 20_000;
/** Most memory for decoding one picture. */
export const maxDecodedBytes = 256_000_000;

/** The memory of a picture that is decoded a few rows at a time (measured: decision 0011). */
const byRowsBytes = 110_000_000;

/**
 * Memory in addition to the pixels of a HEIC photo: file, decoder, one part, redrawing (measured: decision
 * 0160).
 */
const heifBytes = 80_000_000;
/** Bytes per pixel that the decoder takes for a HEIC photo in one part. */
const heifWholePerPixel = 7;
/** The longest side that any purpose keeps, twice. */
const halvedFromPixels = 4800;

/** Whether a HEIC photo in parts is halved while it is decoded: the stored picture is smaller still. */
export const isHalved = ({ width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) >= halvedFromPixels;

/** Values per pixel in a JPEG, by its chroma subsampling. */
const sampled: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2, '4:4:0': 2, '4:1:1': 1.5 };

/**
 * An upper bound of the memory for decoding, in bytes. Most pictures are decoded by rows. A progressive JPEG
 * keeps two bytes of each value until the last pass, an interlaced PNG and a WebP keep all pixels; each needs
 * about one more byte per pixel.
 */
export function decodedBytes(header: Header): number {
  const { format, width, height, channels = 4, depth, isProgressive = false, pages = 1 } = header;
  const pixels = width * height;
  const whole = (perPixel: number) => Math.max(byRowsBytes, pixels * (perPixel + 1));
  // Turning it upright takes a second copy.
  if (format === 'tiled heif') return heifBytes + 2 * channels * (isHalved(header) ? pixels / 4 : pixels);
  if (format === 'heif') return heifBytes + pixels * (channels + heifWholePerPixel);
  if (format === 'webp') return whole(pages > 1 ? 8 : 4);
  if (!isProgressive) return byRowsBytes;
  if (format === 'jpeg') return whole(2 * (sampled[header.chromaSubsampling ?? ''] ?? channels));
  return whole(channels * (depth === 'uchar' ? 1 : 2));
}

/** Whether a picture may be decoded, by its header alone. */
export const mayBeDecoded = (header: Header): boolean =>
  header.width * header.height <= maxPixels &&
  Math.max(header.width, header.height) <= maxSidePixels &&
  decodedBytes(header) <= maxDecodedBytes;

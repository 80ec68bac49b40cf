/** What the header of a picture says, before anything is decoded; as `sharp` names it. */
export interface Header {
  format?: string | undefined;
  width: number;
  height: number;
  channels?: number | undefined;
  /** `uchar` for 8 bits in each channel, `ushort` for 16. */
  depth?: string | undefined;
  /** A JPEG in passes, an interlaced PNG. */
  isProgressive?: boolean | undefined;
  chromaSubsampling?: string | undefined;
  /** Pictures of an animation. */
  pages?: number | undefined;
}

/** More than any telephone's camera, far less than a small file can claim to hold. */
export const maxPixels = 64_000_000;
/** A row is decoded as a whole, however few rows there are: the area alone bounds no memory. */
export const maxSidePixels = 20_000;
/** What one picture may take while it is decoded. */
export const maxDecodedBytes = 256_000_000;

/** What a picture takes that is decoded a few rows at a time (measured: decision 0011). */
const byRowsBytes = 110_000_000;

/** Values that a JPEG keeps of a pixel, by how its colors are sampled. */
const sampled: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2, '4:4:0': 2, '4:1:1': 1.5 };

/**
 * The memory that decoding takes, in bytes, from above. Most pictures are decoded by rows. A JPEG in passes
 * keeps two bytes of each value until the last pass, an interlaced PNG and a WebP keep all pixels; each takes
 * about a byte for each pixel besides.
 */
export function decodedBytes(header: Header): number {
  const { format, width, height, channels = 4, depth, isProgressive = false, pages = 1 } = header;
  const pixels = width * height;
  const whole = (perPixel: number) => Math.max(byRowsBytes, pixels * (perPixel + 1));
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

/** Pixels of eight bits a channel, row by row without gaps. */
export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue; with four, alpha too. */
  channels: 3 | 4;
  /** An EXIF orientation, 1 to 8. */
  orientation: number;
  /** The bytes of an ICC profile; empty for sRGB. */
  profile: Uint8Array;
}

const rowsPerStrip = 32;
const entryBytes = 12;
const [shortKind, longKind, bytesKind] = [3, 4, 7];

type Entry = [tag: number, kind: number, values: readonly number[] | Uint8Array];

function entriesOf({ width, height, channels, orientation, profile }: Pixels, pixelsAt: number): Entry[] {
  const strips = Math.ceil(height / rowsPerStrip);
  const stripBytes = width * channels * rowsPerStrip;
  const all = width * height * channels;
  const at = Array.from({ length: strips }, (_, strip) => strip * stripBytes);
  return [
    [256, longKind, [width]],
    [257, longKind, [height]],
    [258, shortKind, Array.from({ length: channels }, () => 8)],
    // Not compressed.
    [259, shortKind, [1]],
    // Red, green, blue.
    [262, shortKind, [2]],
    [273, longKind, at.map((offset) => pixelsAt + offset)],
    [274, shortKind, [orientation]],
    [277, shortKind, [channels]],
    [278, longKind, [rowsPerStrip]],
    [279, longKind, at.map((offset) => Math.min(stripBytes, all - offset))],
    // The fourth channel is alpha, which the colors are not multiplied by.
    ...(channels === 4 ? [[338, shortKind, [2]] satisfies Entry] : []),
    ...(profile.length === 0 ? [] : [[34_675, bytesKind, profile] satisfies Entry]),
  ];
}

const sizeOf = ([, kind, values]: Entry) =>
  values.length * (kind === longKind ? 4 : kind === shortKind ? 2 : 1);
const even = (bytes: number) => bytes + (bytes % 2);

/** How many bytes an uncompressed TIFF has before its pixels. */
export function headBytesOf(pixels: Pixels): number {
  const entries = entriesOf(pixels, 0);
  const outside = entries.map(sizeOf).filter((bytes) => bytes > 4);
  return 8 + 2 + entries.length * entryBytes + 4 + outside.reduce((sum, bytes) => sum + even(bytes), 0);
}

/**
 * Writes the head of an uncompressed TIFF into the first bytes of `file`, before its pixels: a file that the
 * image library reads row by row, with orientation and colors as in a JPEG (TIFF 6.0, sections 2 and 8).
 */
export function writeHead(file: Uint8Array, pixels: Pixels): void {
  const entries = entriesOf(pixels, headBytesOf(pixels));
  const view = new DataView(file.buffer, file.byteOffset);
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  let free = 10 + entries.length * entryBytes + 4;
  for (const [index, entry] of entries.entries()) {
    const [tag, kind, values] = entry;
    const at = 10 + index * entryBytes;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, kind, true);
    view.setUint32(at + 4, values.length, true);
    const size = sizeOf(entry);
    const to = size > 4 ? free : at + 8;
    if (size > 4) {
      view.setUint32(at + 8, free, true);
      free += even(size);
    }
    if (values instanceof Uint8Array) file.set(values, to);
    else
      for (const [place, value] of values.entries())
        if (kind === longKind) view.setUint32(to + 4 * place, value, true);
        else view.setUint16(to + 2 * place, value, true);
  }
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' };
import notoSansSc from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' };
import { create, type Font } from 'fontkit';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

/** The weights of the two text styles of a picture. */
export type Weight = 500 | 700;

/** A file of a typeface, and the characters that it holds. */
interface Slice {
  file: string;
  spans: readonly { from: number; to: number }[];
}

const require = createRequire(import.meta.url);

/**
 * The typefaces, first come first served: the app's own, and one for Chinese. Each comes in slices, of which
 * a line needs few. Fonts of the machine have no part: a server may have none.
 */
const slices = [...slicesOf('inter', inter), ...slicesOf('noto-sans-sc', notoSansSc)];

function slicesOf(name: string, ranges: Record<string, string>): Slice[] {
  return Object.entries(ranges).map(([slice, text]) => ({
    file: `@fontsource-variable/${name}/files/${name}-${slice.replace(/[[\]]/g, '')}-wght-normal.woff2`,
    spans: text.split(',').map(spanOf),
  }));
}

/** `U+0460-052F` or `U+2116`. */
function spanOf(range: string): Slice['spans'][number] {
  const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-');
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) };
}

/** The slice that holds a character; null where none does. */
export function sliceFor(character: string): string | null {
  const code = character.codePointAt(0) ?? 0;
  return slices.find(({ spans }) => spans.some(({ from, to }) => code >= from && code <= to))?.file ?? null;
}

/** To open a slice takes some 50 ms; the latest stay open. */
const opened = new LRUCache<string, Promise<Font>>({ max: 40 });

export async function openSlice(file: string, weight: Weight): Promise<Font> {
  const key = `${file} ${weight}`;
  const font = opened.get(key) ?? open(file, weight);
  opened.set(key, font);
  try {
    return await font;
  } catch (error) {
    opened.delete(key);
    throw error;
  }
}

/** Whether a character has a shape: a slice may lack some of the characters that it is declared for. */
export async function hasShape(character: string): Promise<boolean> {
  const file = sliceFor(character);
  if (file === null) return false;
  return (await openSlice(file, 500)).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}

async function open(file: string, weight: Weight): Promise<Font> {
  // The font library cannot vary the weight of a packed font.
  const font = create(Buffer.from(await decompress(await readFile(require.resolve(file)))));
  if (!('getVariation' in font)) throw new Error(`${file} is a collection of fonts.`);
  return font.getVariation({ wght: weight });
}

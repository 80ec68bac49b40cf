import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' };
import notoSansSc from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' };
import { create, type Font } from 'fontkit';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

/** A line of text as shapes, which are the same on every machine. */
export interface TextLine {
  /** SVG paths with the start of the baseline at 0, 0. */
  shapes: string;
  width: number;
}

export interface TextStyle {
  /** Pixels of an em. */
  size: number;
  weight: Weight;
}

const ellipsis = '…';

/**
 * The characters that the fonts hold: emoji and other scripts are left out, and what they leave is tidied.
 */
export async function drawable(text: string): Promise<string> {
  const characters = Array.from(text.normalize('NFC').replaceAll(/\s/g, ' '));
  const shown = await Promise.all(characters.map(hasShape));
  return characters
    .filter((_, at) => shown[at])
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** One line of drawable text. */
export async function setLine(text: string, { size, weight }: TextStyle): Promise<TextLine> {
  let width = 0;
  const shapes: string[] = [];
  for (const { file, part } of runsOf(text)) {
    const font = await openSlice(file, weight);
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(part);
    for (const [at, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {};
      const d = glyph.path.toSVG();
      if (d !== '')
        shapes.push(
          `<path transform="translate(${rounded(width + xOffset * scale)} ${rounded(-yOffset * scale)}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${d}"/>`,
        );
      width += xAdvance * scale;
    }
  }
  return { shapes: shapes.join(''), width };
}

const rounded = (pixels: number): number => Math.round(pixels * 100) / 100;

/** Neighbors of the same slice are set together: their distances depend on each other. */
function runsOf(text: string): { file: string; part: string }[] {
  const runs: { file: string; part: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const file = character === ' ' ? (last?.file ?? sliceFor('a')) : sliceFor(character);
    if (file === null) continue;
    if (last?.file === file) last.part += character;
    else runs.push({ file, part: character });
  }
  return runs;
}

/**
 * Text in as many lines as there is room for, cut with an ellipsis where it is longer. Lines break between
 * words, in Chinese too.
 */
export async function setParagraph(
  text: string,
  style: TextStyle,
  room: { width: number; lines: number },
): Promise<TextLine[]> {
  const words = [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)].map(
    ({ segment }) => segment,
  );
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines.at(-1)! + word;
    if (lines.at(-1)!.trim() === '' || (await fits(line, style, room.width))) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  const shown = lines.slice(0, room.lines).map((line) => line.trim());
  const isCut = lines.length > room.lines;
  return Promise.all(
    shown.map(async (line, at) =>
      setLine(await shortened(line, style, room.width, isCut && at === shown.length - 1), style),
    ),
  );
}

const fits = async (line: string, style: TextStyle, width: number): Promise<boolean> =>
  (await setLine(line.trimEnd(), style)).width <= width;

/** The line with as many of its characters as there is room for. */
async function shortened(line: string, style: TextStyle, width: number, isCut: boolean): Promise<string> {
  if (!isCut && (await fits(line, style, width))) return line;
  let characters = Array.from(line);
  while (characters.length > 0 && !(await fits(characters.join('') + ellipsis, style, width)))
    characters = characters.slice(0, -1);
  return characters.join('').trimEnd() + ellipsis;
}

/** The weights of the two text styles of a picture. */
type Weight = 500 | 700;

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
function sliceFor(character: string): string | null {
  const code = character.codePointAt(0) ?? 0;
  return slices.find(({ spans }) => spans.some(({ from, to }) => code >= from && code <= to))?.file ?? null;
}

/** To open a slice takes some 50 ms; the latest stay open. */
const opened = new LRUCache<string, Promise<Font>>({ max: 40 });

async function openSlice(file: string, weight: Weight): Promise<Font> {
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
async function hasShape(character: string): Promise<boolean> {
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

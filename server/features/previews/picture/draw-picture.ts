import sharp from 'sharp';
import { drawable, setLine, setParagraph, type TextLine, type TextStyle } from './set-text.ts';

/** The contents of an address's picture. Leaves out empty texts and characters that the fonts cannot draw. */
export interface Drawing {
  product: string;
  /** Its kind, such as "Ride". */
  label: string;
  /** From and to as two ends of a line, or one title. */
  ends: readonly [string, string] | null;
  title: string;
  /** Time, price and the like, most important first. */
  facts: readonly string[];
}

export const pictureSize = { width: 1200, height: 630 };

const ink = '#1F2430';
const brand = '#59BC6B';
const white = '#FFFFFF';
const pale = '#C9CEDA';
const margin = 88;
const textWidth = pictureSize.width - 2 * margin;

const big: TextStyle = { size: 68, weight: 700 };
const middle: TextStyle = { size: 40, weight: 500 };
const small: TextStyle = { size: 34, weight: 700 };

/** The mark of the product, as in `web/public/icon.svg`, 512 units wide. */
const mark =
  '<path d="M152 372 C152 284 256 296 256 236 C256 196 300 168 352 148" fill="none" stroke="#59BC6B" stroke-width="36" stroke-linecap="round"/>' +
  '<path d="M360 372 C360 300 256 312 256 236" fill="none" stroke="#FFFFFF" stroke-width="36" stroke-linecap="round"/>' +
  '<circle cx="152" cy="372" r="34" fill="#1F2430" stroke="#59BC6B" stroke-width="24"/>' +
  '<circle cx="360" cy="372" r="34" fill="#1F2430" stroke="#FFFFFF" stroke-width="24"/>' +
  '<circle cx="362" cy="144" r="46" fill="#59BC6B"/>';

/** Draws a picture of 1200 × 630 pixels, the size that chats and networks show with a link; a PNG. */
export async function drawPicture(drawing: Drawing): Promise<Buffer> {
  const body = drawing.ends === null ? await titleBlock(drawing.title) : await routeBlock(drawing.ends);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize.width}" height="${pictureSize.height}">`,
    `<rect width="100%" height="100%" fill="${ink}"/>`,
    `<g transform="translate(780 60) scale(1.15)" opacity="0.14">${mark}</g>`,
    await headBlock(drawing),
    body,
    await factsBlock(drawing.facts),
    '</svg>',
  ].join('');
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, colours: 128 }).toBuffer();
}

async function headBlock({ product, label }: Drawing): Promise<string> {
  const name = await setLine(await drawable(product), small);
  const kind = await setLine(await drawable(label), { ...small, weight: 500 });
  return [
    `<g transform="translate(${margin - 14} 42) scale(0.19)">${mark}</g>`,
    placed(name, margin + 88, 104, white),
    placed(kind, pictureSize.width - margin - kind.width, 104, brand),
  ].join('');
}

/** Two places as the ends of a route: an open ring, a line, and a pin. */
async function routeBlock(ends: readonly [string, string]): Promise<string> {
  const [from, to] = await Promise.all(ends.map((end) => oneLine(end, big, textWidth - 76)));
  return [
    `<path d="M${margin + 16} 262 V362" stroke="${brand}" stroke-width="8" stroke-linecap="round" stroke-dasharray="1 19"/>`,
    `<circle cx="${margin + 16}" cy="232" r="14" fill="${ink}" stroke="${brand}" stroke-width="8"/>`,
    `<circle cx="${margin + 16}" cy="392" r="18" fill="${brand}"/>`,
    placed(from!, margin + 76, 256, white),
    placed(to!, margin + 76, 416, white),
  ].join('');
}

async function titleBlock(title: string): Promise<string> {
  const lines = await setParagraph(await drawable(title), big, { width: textWidth, lines: 3 });
  const top = 330 - ((lines.length - 1) * 84) / 2;
  return lines.map((line, at) => placed(line, margin, top + at * 84, white)).join('');
}

/** The first fact is prominent; the others follow below it, as far as there is room. */
async function factsBlock(facts: readonly string[]): Promise<string> {
  const [first = '', ...others] = (await Promise.all(facts.map(drawable))).filter((fact) => fact !== '');
  const lead = await oneLine(first, { ...middle, weight: 700 }, textWidth);
  const rest = await oneLine(others.join(' · '), middle, textWidth);
  return placed(lead, margin, 512, white) + placed(rest, margin, 570, pale);
}

async function oneLine(text: string, style: TextStyle, width: number): Promise<TextLine> {
  const [line] = await setParagraph(await drawable(text), style, { width, lines: 1 });
  return line ?? { shapes: '', width: 0 };
}

const placed = ({ shapes }: TextLine, x: number, y: number, color: string): string =>
  `<g transform="translate(${x} ${y})" fill="${color}">${shapes}</g>`;

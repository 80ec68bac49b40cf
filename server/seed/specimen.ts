import sharp from 'sharp';
import type { Persona } from './demo-data.ts';
import letterData from './letters.json' with { type: 'json' };
import { drawPortrait } from './portrait.ts';
import { createDice } from './seeded-random.ts';

/**
 * The letters are drawn here, dot by dot, because a machine need not have a font. Each column is a byte, the
 * lowest bit on top.
 */
const letters: Readonly<Record<string, string>> = letterData;
const columnsOfLetter = 6;

/** Words as a path of dots of the given size. */
function words(
  text: string,
  [x, y]: [x: number, y: number],
  dot: number,
  paint: { color: string; opacity?: number },
): string {
  const { color, opacity = 1 } = paint;
  const dots = text
    .toUpperCase()
    .split('')
    .flatMap((letter, index) =>
      (letters[letter]?.match(/../g) ?? []).flatMap((column, at) => {
        const bits = Number.parseInt(column, 16);
        const left = x + (index * columnsOfLetter + at) * dot;
        return Array.from({ length: 7 }, (_, row) =>
          (bits >> row) & 1 ? `M${left} ${y + row * dot}h${dot}v${dot}h-${dot}z` : '',
        );
      }),
    );
  return `<path d="${dots.join('')}" fill="${color}" fill-opacity="${opacity}"/>`;
}

const [width, height] = [1010, 640];
const ink = '#27364A';

/** Across the whole card, so that it cannot be mistaken for a real one. */
const specimen = `<g transform="rotate(-24 505 320)">${words('SPECIMEN', [125, 258], 16, { color: '#C62F3B', opacity: 0.55 })}</g>`;

function card(children: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="#8A929C"/>
    <rect x="12" y="12" width="${width - 24}" height="${height - 24}" rx="36" fill="#EAF1F6"/>
    ${children}${specimen}</svg>`;
}

function front({ key, look, email, car }: Persona): string {
  const [given = '', ...family] = (email.split('@')[0] ?? '').split('.');
  const dice = createDice(Number.parseInt(Buffer.from(key).toString('hex').slice(0, 7), 16));
  const line = (label: string, value: string, y: number) =>
    words(label, [372, y], 2, { color: '#5B6B7C' }) + words(value, [430, y - 6], 4, { color: ink });
  return card(`
    <path d="M12 48a36 36 0 0 1 36-36h914a36 36 0 0 1 36 36v72H12z" fill="#2F5D8A"/>
    ${words('DRIVER LICENSE', [48, 46], 6, { color: '#FFFFFF' })}${words('DEMO', [836, 50], 5, { color: '#CFE0EE' })}
    <svg x="48" y="160" width="290" height="350" viewBox="8 0 104 120" preserveAspectRatio="xMidYMid slice">${drawPortrait(look, dice).replace('width="240" height="240"', 'width="120" height="120"')}</svg>
    ${line('DL', `S${dice.between(1_000_000, 9_999_999)}`, 176)}
    ${line('EXP', `0${dice.between(1, 9)}/${dice.between(10, 28)}/20${dice.between(28, 31)}`, 236)}
    ${line('LN', family.join(' '), 296)}
    ${line('FN', given, 356)}
    ${line('CLS', car?.type === 'van' ? 'B' : 'C', 416)}
    ${line('DOB', `${dice.between(10, 12)}/${dice.between(10, 28)}/19${dice.between(62, 99)}`, 476)}
    ${words('NOT A REAL DOCUMENT', [48, 560], 5, { color: '#5B6B7C' })}`);
}

function back({ key }: Persona): string {
  const dice = createDice(Number.parseInt(Buffer.from(`${key}!`).toString('hex').slice(0, 7), 16));
  const bars: string[] = [];
  for (let x = 60; x < 940;) {
    const thick = dice.between(2, 9);
    bars.push(`<rect x="${x}" y="400" width="${thick}" height="120" fill="${ink}"/>`);
    x += thick + dice.between(3, 10);
  }
  return card(`
    <rect x="12" y="72" width="${width - 24}" height="92" fill="#3B4552"/>
    ${words('CLASS C - PASSENGER CARS', [60, 210], 4, { color: ink })}
    ${words('RESTRICTIONS - NONE', [60, 262], 4, { color: ink })}
    ${words('ENDORSEMENTS - NONE', [60, 314], 4, { color: ink })}
    ${bars.join('')}
    ${words('NOT A REAL DOCUMENT', [60, 560], 5, { color: '#5B6B7C' })}`);
}

/** A drawn license that says of itself what it is, as a photo of one side would be sent. */
export const photographSpecimen = (persona: Persona, side: 'front' | 'back'): Promise<Buffer> =>
  sharp(Buffer.from(side === 'front' ? front(persona) : back(persona)))
    .jpeg({ quality: 88 })
    .toBuffer();

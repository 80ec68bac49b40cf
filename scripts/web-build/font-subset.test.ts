import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const theme = fs.readFileSync(path.join(root, 'web', 'ui', 'theme.css'), 'utf8');

/** Whether the `unicode-range` of a font face includes a character. */
function claims(face: string, code: number): boolean {
  const [, list = ''] = /unicode-range:([^;]*);/.exec(face) ?? [];
  return [...list.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].some(
    ([, from = '', to = from]) => code >= parseInt(from, 16) && code <= parseInt(to, 16),
  );
}

describe('the font comes in parts', () => {
  const faces = [...theme.matchAll(/@font-face \{[^}]*'Inter Variable'[^}]*\}/g)].map(([face]) => face);
  const fontSubset = faces.find((face) => face.includes('inter-subset'))!;
  const latin = faces.find((face) => face.includes('inter-latin-wght'))!;

  test('no character is in both font files, so that only one is loaded for it', () => {
    for (let code = 0; code <= 0xffff; code++)
      if (claims(fontSubset, code)) expect([code, claims(latin, code)]).toEqual([code, false]);
  });

  test('the app’s English texts need only the first file', () => {
    const folder = path.join(root, 'locales', 'en');
    // Inter's Latin file lacks these characters; the device's fonts draw them.
    const ofDevice = new Set(['→', '₂', '简', '体', '中', '文']);
    for (const name of fs.readdirSync(folder))
      for (const letter of fs.readFileSync(path.join(folder, name), 'utf8').replaceAll(/\s/g, ' '))
        if (!ofDevice.has(letter))
          expect([name, letter, claims(fontSubset, letter.codePointAt(0)!)]).toEqual([name, letter, true]);
  });
});

import fs from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '..', '..');
const whole = path.join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
/** The folder that `web/ui/theme.css` and `web/index.html` refer to. */
const folder = path.join(root, 'node_modules', '.cache', 'sameway-fonts');
const file = path.join(folder, 'inter-subset.woff2');

/** The characters of English and of the app's sentences: `unicode-range` in `web/ui/theme.css`. */
const ranges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xa0],
  [0xa9, 0xa9],
  [0xb0, 0xb0],
  [0xb7, 0xb7],
  [0xd7, 0xd7],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x20ac, 0x20ac],
  [0x2212, 0x2212],
];
/** The range of weights that the app uses. */
const weights = { min: 400, max: 700, default: 400 };

const letters = ranges
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, place) => from + place))
  .map((code) => String.fromCodePoint(code))
  .join('');

/**
 * Makes the font of the first screen, a subset of Inter's Latin file of less than half its size. The browser
 * loads the whole file if a text has another character of its range.
 */
export function fontSubset(): Plugin {
  return {
    name: 'sameway-font-subset',
    async buildStart() {
      const font = await subsetFont(fs.readFileSync(whole), letters, {
        targetFormat: 'woff2',
        variationAxes: { wght: weights },
      });
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(file, font);
    },
  };
}

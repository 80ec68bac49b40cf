import type { Dice } from './seeded-random.ts';

/** The features of a person's drawn portrait. */
export interface Look {
  skin: keyof typeof skins;
  hair: Hair;
  hairColor: keyof typeof hairColors;
  beard?: 'stubble' | 'full' | 'moustache';
  glasses?: true;
  earrings?: true;
}

export type Hair =
  | 'crop'
  | 'side'
  | 'quiff'
  | 'waves'
  | 'curls'
  | 'afro'
  | 'bob'
  | 'long'
  | 'fringe'
  | 'bun'
  | 'ponytail'
  | 'braid'
  | 'balding'
  | 'scarf';

/** Face, and the shade of neck and ears. */
const skins = {
  porcelain: ['#F8DCCB', '#EBC3AC'],
  fair: ['#F2CBAE', '#E0AE8D'],
  olive: ['#E2B48C', '#CB976D'],
  tan: ['#CC966A', '#B17B51'],
  brown: ['#A16D49', '#875737'],
  deep: ['#754C35', '#5D3A27'],
} as const;

const hairColors = {
  black: '#29231F',
  espresso: '#46312A',
  chestnut: '#6F4630',
  auburn: '#91502F',
  copper: '#B8632F',
  sand: '#B48A52',
  blond: '#D9B36C',
  gray: '#9B9DA3',
  white: '#E4E2DD',
} as const;

const backgrounds = ['#DCEBDD', '#DDE7F0', '#F3E7D7', '#E6E1EF', '#D9EBEA', '#F2E1DE', '#ECEBD8', '#E3E6EA'];
const clothes = [
  '#3F7F5F',
  '#4F6D8F',
  '#C27C52',
  '#7A6A9B',
  '#2F5D62',
  '#B4574F',
  '#D3A548',
  '#56606F',
  '#8A9A5B',
];
const ink = '#2A2522';

/** A friendly flat portrait as SVG: features come from the person, colors of shirt and wall from chance. */
export function drawPortrait(look: Look, dice: Dice): string {
  const [skin, shade] = skins[look.skin];
  const hair = look.hair === 'scarf' ? dice.pick(clothes) : hairColors[look.hairColor];
  const wall = dice.pick(backgrounds);
  const shirt = dice.pick(clothes.filter((color) => color !== hair));
  const { behind, front } = hairShapes[look.hair](shapesIn(hair));
  const parts = [
    `<rect width="120" height="120" fill="${wall}"/>`,
    // Close enough to distinguish faces at the size of a list's picture.
    '<g transform="translate(60 68) scale(1.16) translate(-60 -62)">',
    behind,
    `<path d="M49 70h22v20a11 11 0 0 1-22 0z" fill="${shade}"/>`,
    `<path d="M10 124c1-24 16-35 37-37 3 6 7 8 13 8s10-2 13-8c21 2 36 13 37 37z" fill="${shirt}"/>`,
    neckline(dice.pick(['round', 'collar', 'hood']), shirt),
    look.hair === 'scarf'
      ? ''
      : `<ellipse cx="36.5" cy="57" rx="5" ry="6.5" fill="${shade}"/><ellipse cx="83.5" cy="57" rx="5" ry="6.5" fill="${shade}"/>`,
    `<path d="M37 50c0-17 9-27 23-27s23 10 23 27c0 19-10 33-23 33S37 69 37 50z" fill="${skin}"/>`,
    beardShape(look.beard, hair),
    face(shade, look),
    front,
    look.earrings === true
      ? `<circle cx="36.5" cy="66" r="2.3" fill="#E3B448"/><circle cx="83.5" cy="66" r="2.3" fill="#E3B448"/>`
      : '',
    look.glasses === true ? glasses : '',
    '</g>',
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" width="240" height="240">${parts.join('')}</svg>\n`;
}

function face(shade: string, { hair, hairColor }: Look): string {
  const brow = hair === 'scarf' || hairColor === 'white' ? '#6B6460' : hairColors[hairColor];
  const line = (d: string, color: string, width: number) =>
    `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
  return [
    line('M45.5 47.5q4.5-3 8.5-.6M66 46.9q4-2.4 8.5.6', brow, 2.4),
    `<circle cx="50" cy="55" r="2.9" fill="${ink}"/><circle cx="70" cy="55" r="2.9" fill="${ink}"/>`,
    line('M60 57.5q-2.6 5-2 6.2 1 1.2 3.4.7', shade, 2.4),
    `<path d="M51 70.5q9 3 18 0-1.5 7.5-9 7.5t-9-7.5z" fill="#FFFFFF" stroke="#8C3B36" stroke-width="1.6" stroke-linejoin="round"/>`,
    `<circle cx="44.5" cy="65" r="4" fill="#D9675B" opacity=".18"/><circle cx="75.5" cy="65" r="4" fill="#D9675B" opacity=".18"/>`,
  ].join('');
}

function neckline(kind: 'round' | 'collar' | 'hood', shirt: string): string {
  if (kind === 'collar')
    return `<path d="M47 87l13 9-9 12-10-19zM73 87L60 96l9 12 10-19z" fill="#FFFFFF" opacity=".85"/>`;
  const line = kind === 'round' ? 'M46 88q4 11 14 11t14-11' : 'M41 88q5 17 19 17t19-17M53 104v10M67 104v10';
  return `<path d="${line}" fill="none" stroke="${shirt}" stroke-width="3"/><path d="${line}" fill="none" stroke="#FFFFFF" stroke-opacity=".45" stroke-width="3" stroke-linecap="round"/>`;
}

function beardShape(beard: Look['beard'], color: string): string {
  const full = 'M37 54c0 18 9 33 23 33s23-15 23-33c-2 8-5 12-9 13-5-3-9-3-14-1-5-2-9-2-14 1-4-1-7-5-9-13z';
  if (beard === 'full') return `<path d="${full}" fill="${color}"/>`;
  if (beard === 'stubble') return `<path d="${full}" fill="${color}" opacity=".28"/>`;
  if (beard === 'moustache')
    return `<path d="M47 70c4-5 10-5 13-2.5 3-2.5 9-2.5 13 2.5-5 1-9 1-13-1-4 2-8 2-13 1z" fill="${color}"/>`;
  return '';
}

const glasses = `<g fill="#FFFFFF" fill-opacity=".14" stroke="${ink}" stroke-width="2"><rect x="41" y="48.5" width="16" height="13" rx="6"/><rect x="63" y="48.5" width="16" height="13" rx="6"/><path d="M57 53.5q3-2 6 0M41 53l-4-1.5M79 53l4-1.5" fill="none"/></g>`;

interface HairShapes {
  behind: string;
  front: string;
}

/** The parts of the hair behind the head and in front of it, in shapes of one color. */
const hairShapes: Record<Hair, (shape: ReturnType<typeof shapesIn>) => HairShapes> = {
  crop: ({ path }) => ({
    behind: '',
    front: path('M36 51c-3-20 8-31 24-31s27 11 24 31c-2-6-4-9-6-14-11-4-25-4-36 0-2 5-4 8-6 14z'),
  }),
  side: ({ path }) => ({
    behind: '',
    front: path('M36 52c-4-22 8-34 26-33 16 0 26 12 22 33-2-6-4-10-5-14-11 1-21-1-28-6-3 7-11 10-15 20z'),
  }),
  quiff: ({ path }) => ({
    behind: '',
    front: path(
      'M36 51c-2-10-1-18 5-23 1-9 12-14 24-12 13 1 21 12 19 35-2-6-3-10-5-14-12-3-24-3-37 0-3 4-5 8-6 14z',
    ),
  }),
  waves: ({ circles }) => ({
    behind: circles([38, 40, 11], [82, 40, 11]),
    front: circles([44, 31, 10], [55, 25, 11], [67, 25, 11], [77, 32, 10], [36, 45, 7], [84, 45, 7]),
  }),
  curls: ({ circles }) => ({
    behind: circles(
      [36, 46, 14],
      [84, 46, 14],
      [34, 62, 12],
      [86, 62, 12],
      [37, 76, 10],
      [83, 76, 10],
      [60, 30, 22],
    ),
    front: circles([43, 33, 10], [54, 27, 10], [66, 27, 10], [77, 33, 10], [36, 44, 7], [84, 44, 7]),
  }),
  afro: ({ path, circles }) => ({
    behind: circles([60, 40, 35]),
    front: path('M36 52c-2-20 9-29 24-29s26 9 24 29c-3-9-8-14-12-16-8-2-16-2-24 0-4 2-9 7-12 16z'),
  }),
  bob: ({ path }) => ({
    behind: path('M31 78c-4-40 5-62 29-62s33 22 29 62c-5 5-14 4-17 1V50H48v29c-3 3-12 4-17-1z'),
    front: path(parted),
  }),
  long: ({ path }) => ({
    behind: path('M29 106c-3-60 2-91 31-91s34 31 31 91c-8 4-19 3-23-2V50H52v54c-4 5-15 6-23 2z'),
    front: path(parted),
  }),
  fringe: ({ path }) => ({
    behind: path('M30 100c-3-56 3-84 30-84s33 28 30 84c-8 4-17 3-21-1V50H51v49c-4 4-13 5-21 1z'),
    front: path('M36 54c-4-22 7-35 24-35s28 13 24 35c-1-5-2-8-4-11-13 3-27 3-40 0-2 3-3 6-4 11z'),
  }),
  bun: ({ path, circles }) => ({
    behind: circles([60, 17, 11]),
    front: path('M36 53c-3-21 8-33 24-33s27 12 24 33c-2-7-6-13-11-17-8-3-18-3-26 0-5 4-9 10-11 17z'),
  }),
  ponytail: ({ path }) => ({
    behind: path('M76 26c18 0 24 16 21 37-1 13-4 22-9 28-5-5-3-16-3-28z'),
    front: path(parted),
  }),
  braid: ({ path, circles }) => ({
    behind: path('M32 70c-2-34 4-54 28-54s30 20 28 54c-4 3-9 2-11 0V50H43v20c-2 2-7 3-11 0z'),
    front: path(parted) + circles([87, 75, 6.5], [89, 85, 6], [90, 94, 5.5], [90, 102, 4.5]),
  }),
  balding: ({ path }) => ({
    behind: '',
    front: path('M36 55c-3-8-3-16 2-22 1 6 1 11 0 15zM84 55c3-8 3-16-2-22-1 6-1 11 0 15z'),
  }),
  scarf: ({ color }) => ({
    behind: '',
    front: `<path fill-rule="evenodd" fill="${color}" d="M60 15c-21 0-30 17-30 39 0 20-3 33-11 43 10 9 25 13 41 13s31-4 41-13c-8-10-11-23-11-43 0-22-9-39-30-39zM60 29c12 0 18 9 18 24 0 17-8 29-18 29s-18-12-18-29c0-15 6-24 18-24z"/><path d="M35 62c3 18 12 30 34 36" fill="none" stroke="#FFFFFF" stroke-opacity=".3" stroke-width="2.5" stroke-linecap="round"/>`,
  }),
};

const parted = 'M36 53c-2-21 8-33 24-33s26 12 24 33c-3-8-9-14-20-18-5 5-17 6-28 18z';

const shapesIn = (color: string) => ({
  color,
  path: (d: string) => `<path d="${d}" fill="${color}"/>`,
  circles: (...list: [x: number, y: number, r: number][]) =>
    list.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/>`).join(''),
});

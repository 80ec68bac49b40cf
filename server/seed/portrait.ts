import drawing from './portrait.json' with { type: 'json' };
import type { Dice } from './seeded-random.ts';

/** The features of a person's drawn portrait. */
export interface Look {
  skin: keyof typeof drawing.skins;
  hair: keyof typeof drawing.hair;
  hairColor: keyof typeof drawing.hairColors;
  beard?: keyof typeof drawing.beards;
  glasses?: boolean;
  earrings?: boolean;
}

const grayBrow = '#6B6460';

/** A friendly flat portrait as SVG: features come from the person, colors of shirt and wall from chance. */
export function drawPortrait(look: Look, dice: Dice): string {
  const [skin, shade] = drawing.skins[look.skin];
  const isScarf = look.hair === 'scarf';
  const hair = isScarf ? dice.pick(drawing.clothes) : drawing.hairColors[look.hairColor];
  const wall = dice.pick(drawing.walls);
  const shirt = dice.pick(drawing.clothes.filter((color) => color !== hair));
  const neckline = drawing.necklines[dice.pick(['round', 'collar', 'hood'] as const)];
  const brow = isScarf || look.hairColor === 'white' ? grayBrow : drawing.hairColors[look.hairColor];
  const { behind, front } = drawing.hair[look.hair];
  const parts = [
    drawing.wall,
    // Close enough to distinguish faces at the size of a list's picture.
    '<g transform="translate(60 68) scale(1.16) translate(-60 -62)">',
    behind,
    drawing.neck,
    drawing.shoulders,
    neckline,
    isScarf ? '' : drawing.ears,
    drawing.head,
    look.beard === undefined ? '' : drawing.beards[look.beard],
    drawing.face,
    front,
    look.earrings === true ? drawing.earrings : '',
    look.glasses === true ? drawing.glasses : '',
    '</g>',
  ];
  const colors: Record<string, string | undefined> = { skin, shade, hair, wall, shirt, brow };
  const picture = parts.join('').replaceAll(/\{(\w+)\}/g, (_, name: string) => colors[name] ?? '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" width="240" height="240">${picture}</svg>\n`;
}

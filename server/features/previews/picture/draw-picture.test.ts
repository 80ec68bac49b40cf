import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawPicture, pictureSize, type Drawing } from './draw-picture.ts';
import { createPictureDesk } from './picture-desk.ts';
import { drawable, setLine, setParagraph } from './set-text.ts';

const ride: Drawing = {
  product: 'Sameway',
  label: 'Ride',
  ends: ['Mission Street', 'Aptos Village'],
  title: '',
  facts: ['Tue, Nov 24, 9:00 AM PST', '$12.50 per person', '3 seats free'],
};
const style = { size: 68, weight: 700 } as const;

test('a picture is a PNG of the size that chats show', async () => {
  const bytes = await drawPicture(ride);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', ...pictureSize });
  expect(bytes.length).toBeLessThan(100_000);
  expect((await drawPicture({ ...ride, ends: ['Mission Street', 'Soquel'] })).equals(bytes)).toBe(false);
});

test('Chinese is drawn; emoji and scripts without a font are left out', async () => {
  expect(await drawable('春节晚会 🎉  Lanterns → مرحبا')).toBe('春节晚会 Lanterns →');
  expect(await drawable('Zoë, Ångström, Łódź, Ελλάδα, Москва')).toBe('Zoë, Ångström, Łódź, Ελλάδα, Москва');
  const { shapes, width } = await setLine('春节', style);
  expect(shapes.match(/<path/g)).toHaveLength(2);
  expect(width).toBeCloseTo(2 * style.size, 0);
});

test('a title without a letter that the fonts have still makes a picture', async () => {
  const drawing = { ...ride, ends: null, title: '🎉', facts: [] };
  expect(await sharp(await drawPicture(drawing)).metadata()).toMatchObject(pictureSize);
});

test('long text breaks between words, and ends in an ellipsis where there is no more room', async () => {
  const room = { width: 400, lines: 2 };
  const words = 'one two three four five six seven eight nine ten';
  const lines = await setParagraph(words, style, room);
  expect(lines).toHaveLength(2);
  for (const { width } of lines) expect(width).toBeLessThanOrEqual(room.width);
  const [single] = await setParagraph('x'.repeat(120), style, { width: 400, lines: 1 });
  expect(single!.width).toBeLessThanOrEqual(400);
  expect(await setParagraph('short', style, room)).toHaveLength(1);
});

test('what a person typed is only ever shapes', async () => {
  const { shapes } = await setLine('</svg><script>"&', style);
  expect(shapes).not.toMatch(/script|<\/svg/);
});

test('the same words are drawn once', async () => {
  const pictures = createPictureDesk();
  const [one, same, other] = [pictures(ride), pictures({ ...ride }), pictures({ ...ride, label: 'Event' })];
  expect(same.tag).toBe(one.tag);
  expect(other.tag).not.toBe(one.tag);
  expect(await same.draw()).toBe(await one.draw());
});

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

const icon = path.join(import.meta.dirname, '../../web/public/icon.svg');
const ink = '#1F2430';
/** Launchers cut an icon to their own shape: what matters stays within this part of it. */
const safePart = 0.62;
const splashPart = 0.25;

/** Draws the app's icon over every picture of the given names in a folder, each in the size it has. */
export async function drawIcons(folder: string, name: RegExp): Promise<void> {
  for (const file of filesNamed(folder, name)) {
    const { width } = await sharp(file).metadata();
    // Without rounded corners, which phones cut themselves, and without transparency, which Apple refuses.
    await drawOn(file, { width, height: width, part: /foreground/.test(file) ? safePart : 1 });
  }
}

/** The same for the pictures that show while the app starts: the icon in the middle. */
export async function drawSplashes(folder: string, name: RegExp): Promise<void> {
  for (const file of filesNamed(folder, name)) {
    const { width, height } = await sharp(file).metadata();
    await drawOn(file, { width, height, part: splashPart });
  }
}

async function drawOn(
  file: string,
  { width, height, part }: { width: number; height: number; part: number },
): Promise<void> {
  const size = Math.round(Math.min(width, height) * part);
  const drawn = await sharp(icon, { density: 300 }).resize(size, size).png().toBuffer();
  const picture = await sharp({ create: { width, height, channels: 3, background: ink } })
    .composite([{ input: drawn, gravity: 'center' }])
    .png({ compressionLevel: 9 })
    .toBuffer();
  fs.writeFileSync(file, picture);
}

const filesNamed = (folder: string, name: RegExp): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(path.basename(file)))
    .toSorted()
    .map((file) => path.join(folder, file));

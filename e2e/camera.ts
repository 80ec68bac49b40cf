import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { chromiumLaunch, type ChromiumLaunch } from './chromium.ts';

const [width, height] = [640, 480];
const frames = 10;

/**
 * Writes a film in which a camera sees a picture on white paper: YUV4MPEG2, as Chromium's fake camera plays
 * it.
 */
export async function filmOf(picture: Buffer, file: string): Promise<void> {
  const grey = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .resize(width - 120, height - 80, { fit: 'contain', background: '#ffffff' })
    .extend({ top: 40, bottom: 40, left: 60, right: 60, background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer();
  const colours = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), grey, colours]);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  await writeFile(file, Buffer.concat([head, ...Array.from({ length: frames }, () => frame)]));
}

/** A browser whose camera plays a film, and that lets pages use it. */
export async function chromiumWithCamera(film: string): Promise<ChromiumLaunch> {
  const launch = await chromiumLaunch();
  const camera = [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ];
  return { ...launch, args: [...launch.args, ...camera] };
}

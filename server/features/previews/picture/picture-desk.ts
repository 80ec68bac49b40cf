import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { drawPicture, type Drawing } from './draw-picture.ts';

/** Raised with every change to how pictures look, so that browsers ask for them again. */
const look = 1;
const mostKept = 60;

export interface Picture {
  /** Names what is drawn: the same words have the same tag. */
  tag: string;
  draw: () => Promise<Buffer>;
}

/** Draws pictures one at a time, and keeps those that were asked for last. */
export function createPictureDesk(): (drawing: Drawing) => Picture {
  const kept = new Map<string, Promise<Buffer>>();
  const oneAtATime = pLimit(1);

  function drawn(tag: string, drawing: Drawing): Promise<Buffer> {
    const picture = kept.get(tag) ?? oneAtATime(() => drawPicture(drawing));
    kept.delete(tag);
    kept.set(tag, picture);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    picture.catch(() => kept.delete(tag));
    return picture;
  }

  return (drawing) => {
    const tag = createHash('sha256')
      .update(JSON.stringify([look, drawing]))
      .digest('base64url')
      .slice(0, 16);
    return { tag, draw: () => drawn(tag, drawing) };
  };
}

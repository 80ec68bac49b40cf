import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { drawPicture, type Drawing } from './draw-picture.ts';

/** Raised with every change to the design of pictures, so that browsers ask for them again. */
const look = 1;
const mostPictures = 60;

export interface Picture {
  /** Names what is drawn: the same words have the same tag. */
  tag: string;
  draw: () => Promise<Buffer>;
}

/** Draws pictures one at a time, and caches the latest. */
export function createPictureDesk(): (drawing: Drawing) => Picture {
  const cache = new LRUCache<string, Promise<Buffer>>({ max: mostPictures });
  const oneAtATime = pLimit(1);

  function drawn(tag: string, drawing: Drawing): Promise<Buffer> {
    const known = cache.get(tag);
    if (known !== undefined) return known;
    const picture = oneAtATime(() => drawPicture(drawing));
    cache.set(tag, picture);
    picture.catch(() => cache.delete(tag));
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

import type { RateLimits } from '../../platform/http/rate-limits.ts';
import type { Drawing } from './picture/draw-picture.ts';
import { createPictureDesk, type Picture } from './picture/picture-desk.ts';

/** State of this feature that lives as long as the process. */
export interface PreviewsState {
  limits: RateLimits;
  pictures: (drawing: Drawing) => Picture;
}

export const openPreviews = (limits: RateLimits): PreviewsState => ({
  limits,
  pictures: createPictureDesk(),
});

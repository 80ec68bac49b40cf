/**
 * Which square of a picture is shown: its middle in the picture's own pixels, and how far it is zoomed in.
 */
export interface Crop {
  width: number;
  height: number;
  x: number;
  y: number;
  /** 1 shows the largest square there is. */
  zoom: number;
}

export const maxZoom = 5;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** The side of the square, in the picture's pixels. */
export const sideOf = ({ width, height, zoom }: Crop): number => Math.min(width, height) / zoom;

/** Keeps the square within the picture. */
function kept(crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, maxZoom);
  const half = sideOf({ ...crop, zoom }) / 2;
  return {
    ...crop,
    zoom,
    x: clamp(crop.x, half, crop.width - half),
    y: clamp(crop.y, half, crop.height - half),
  };
}

/** The largest square in the middle. */
export const startCrop = (width: number, height: number): Crop =>
  kept({ width, height, x: width / 2, y: height / 2, zoom: 1 });

/** Drags the picture by `byX` and `byY` of the frame's pixels; the frame is `frame` pixels wide. */
export function dragged(crop: Crop, byX: number, byY: number, frame: number): Crop {
  const perPixel = sideOf(crop) / frame;
  return kept({ ...crop, x: crop.x - byX * perPixel, y: crop.y - byY * perPixel });
}

/** Zooms to a value; the point of the frame at (`atX`, `atY`), from 0 to 1, stays where it is. */
export function zoomedTo(crop: Crop, zoom: number, atX = 0.5, atY = 0.5): Crop {
  const next = clamp(zoom, 1, maxZoom);
  const change = sideOf(crop) - sideOf({ ...crop, zoom: next });
  return kept({
    ...crop,
    zoom: next,
    x: crop.x + (atX - 0.5) * change,
    y: crop.y + (atY - 0.5) * change,
  });
}

/** The square as a part of the picture. */
export function partOf(crop: Crop): { left: number; top: number; width: number; height: number } {
  const side = sideOf(crop);
  return { left: crop.x - side / 2, top: crop.y - side / 2, width: side, height: side };
}

/** How to lay the whole picture into a frame of 100 % so that the square fills it. */
export function styleOf(crop: Crop): { width: string; height: string; left: string; top: string } {
  const side = sideOf(crop);
  const share = (pixels: number): string => `${((pixels / side) * 100).toFixed(3)}%`;
  const { left, top } = partOf(crop);
  return { width: share(crop.width), height: share(crop.height), left: share(0 - left), top: share(0 - top) };
}

import { latOf, lonOf, scaleAt, worldPx, xOf, yOf } from './mercator.ts';
import type { Bounds, LonLat } from './shapes.ts';

/** A view may reach this far beyond the map, as a part of the map's larger side. */
const beyondShare = 0.02;

export interface Camera {
  center: LonLat;
  zoom: number;
}

/** The part of a map that no sheet covers. */
export interface ViewWindow {
  widthPx: number;
  heightPx: number;
}

/** The camera with which bounds are wholly seen within their padding; null where there is no room. */
export function fitCamera(
  [west, south, east, north]: Bounds,
  {
    window,
    padding: { top, right, bottom, left },
    maxZoom,
  }: {
    window: ViewWindow;
    padding: Record<'top' | 'right' | 'bottom' | 'left', number>;
    maxZoom: number;
  },
): Camera | null {
  const [widthPx, heightPx] = [window.widthPx - left - right, window.heightPx - top - bottom];
  if (widthPx <= 0 || heightPx <= 0) return null;
  const [fromX, toX, fromY, toY] = [xOf(west), xOf(east), yOf(north), yOf(south)];
  const perWorld = Math.min(widthPx / (toX - fromX), heightPx / (toY - fromY));
  const zoom = Math.min(maxZoom, Math.log2(perWorld / worldPx));
  const scale = scaleAt(zoom);
  return {
    center: [
      lonOf((fromX + toX + (right - left) / scale) / 2),
      latOf((fromY + toY + (bottom - top) / scale) / 2),
    ],
    zoom,
  };
}

/** What is seen in a window. */
export function viewOf({ center, zoom }: Camera, { widthPx, heightPx }: ViewWindow): Bounds {
  const scale = scaleAt(zoom);
  const [x, y] = [xOf(center[0]), yOf(center[1])];
  const [wide, high] = [widthPx / 2 / scale, heightPx / 2 / scale];
  return [lonOf(x - wide), latOf(y + high), lonOf(x + wide), latOf(y - high)];
}

/**
 * The limits of what is seen, which every view fills: the map with a narrow margin, and what a page asks to
 * see, which may lie beyond. The map is zoomed out no farther than that, and moved no farther.
 * @param map what the region's map shows.
 * @param view what the page asks to see.
 */
export function limitsAround(map: Bounds, view: Bounds): Bounds {
  const [west, south, east, north] = map;
  const largerSide = Math.max(xOf(east) - xOf(west), yOf(south) - yOf(north));
  const beyond = largerSide * beyondShare;
  return [
    Math.min(lonOf(xOf(west) - beyond), view[0]),
    Math.min(latOf(yOf(south) + beyond), view[1]),
    Math.max(lonOf(xOf(east) + beyond), view[2]),
    Math.max(latOf(yOf(north) - beyond), view[3]),
  ];
}

/** The zoom at which a window shows as much as it can without a side beyond the limits. */
export function farthestZoom([west, south, east, north]: Bounds, { widthPx, heightPx }: ViewWindow): number {
  const perWorld = Math.max(widthPx / (xOf(east) - xOf(west)), heightPx / (yOf(south) - yOf(north)));
  return Math.log2(perWorld / worldPx);
}

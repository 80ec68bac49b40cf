import type * as maplibre from 'maplibre-gl';
import { iconPaths, makiSide } from './poi-icons.ts';
import { poiKinds } from './poi-kinds.ts';

/** Drawn twice as fine, for the screens of phones. */
const pixelRatio = 2;
const discPx = 18;
const iconPx = 11;

/** The outline of an icon, from its drawing of one or more paths. */
function outlineOf(icon: string): Path2D | null {
  const paths = iconPaths(icon);
  if (paths.length === 0) return null;
  const outline = new Path2D();
  for (const path of paths) outline.addPath(new Path2D(path));
  return outline;
}

type Draw = (context: CanvasRenderingContext2D) => void;

function imageOf(width: number, height: number, draw: Draw): ImageData | null {
  const canvas = document.createElement('canvas');
  canvas.width = width * pixelRatio;
  canvas.height = height * pixelRatio;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.scale(pixelRatio, pixelRatio);
  draw(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** A white icon on a disc of its group's color, with a white rim that sets it off from the ground. */
const poiImage = (icon: string, color: string): ImageData | null => {
  const outline = outlineOf(icon);
  if (outline === null) return null;
  return imageOf(discPx, discPx, (context) => {
    context.beginPath();
    context.arc(discPx / 2, discPx / 2, discPx / 2 - 1, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    context.strokeStyle = '#ffffff';
    context.lineWidth = 1.5;
    context.stroke();
    const edge = (discPx - iconPx) / 2;
    context.translate(edge, edge);
    context.scale(iconPx / makiSide, iconPx / makiSide);
    context.fillStyle = '#ffffff';
    context.fill(outline);
  });
};

const shieldHeightPx = 15;

/** The sign under a road's number: blue for an interstate, white with a rim for all others. */
const shieldImage = (digits: number, isInterstate: boolean): ImageData | null => {
  const width = 10 + 6 * digits;
  return imageOf(width, shieldHeightPx, (context) => {
    context.beginPath();
    context.roundRect(0.75, 0.75, width - 1.5, shieldHeightPx - 1.5, 4);
    context.fillStyle = isInterstate ? '#3b5ba9' : '#ffffff';
    context.fill();
    context.strokeStyle = isInterstate ? '#ffffff' : '#a49c8d';
    context.lineWidth = 1.2;
    context.stroke();
  });
};

/** The arrow along a street of one direction. */
const arrowImage = (): ImageData | null =>
  imageOf(14, 10, (context) => {
    context.strokeStyle = '#b3ab9d';
    context.lineWidth = 1.4;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.beginPath();
    context.moveTo(2, 5);
    context.lineTo(12, 5);
    context.moveTo(9, 2);
    context.lineTo(12, 5);
    context.lineTo(9, 8);
    context.stroke();
  });

const mostDigits = 4;

/** Gives the map all images that its style names, at once: one that comes late lays out the tiles again. */
export function addMapImages(map: maplibre.Map): void {
  const add = (id: string, image: ImageData | null) => {
    if (image !== null && !map.hasImage(id)) map.addImage(id, image, { pixelRatio });
  };
  for (const { kind, icon, color } of poiKinds) add(`poi-${kind}`, poiImage(icon, color));
  for (let digits = 1; digits <= mostDigits; digits++) {
    add(`shield-interstate-${digits}`, shieldImage(digits, true));
    add(`shield-${digits}`, shieldImage(digits, false));
  }
  add('arrow', arrowImage());
}

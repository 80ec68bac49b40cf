import * as maplibre from 'maplibre-gl';
import type { MapPin } from './shapes.ts';

const svg = 'http://www.w3.org/2000/svg';

interface Shape {
  /** Width, height and the point that marks the place. */
  size: [number, number];
  anchor: 'center' | 'bottom';
  body: { tag: 'circle' | 'path'; attributes: Record<string, string> }[];
  letter: { x: number; y: number; color: string };
}

const disc = (fill: string, stroke: string, width: number): Shape['body'][number] => ({
  tag: 'circle',
  attributes: { cx: '16', cy: '16', r: String(14 - width / 2), fill, stroke, 'stroke-width': String(width) },
});
const drop = (fill: string): Shape['body'][number] => ({
  tag: 'path',
  attributes: {
    d: 'M17 41 C17 41 31 26 31 16 A14 14 0 1 0 3 16 C3 26 17 41 17 41 Z',
    fill,
    stroke: '#ffffff',
    'stroke-width': '2',
  },
});

const shapes: Record<MapPin['kind'], Shape> = {
  origin: {
    size: [32, 32],
    anchor: 'center',
    body: [disc('#ffffff', '#1f2430', 5)],
    letter: { x: 16, y: 20.5, color: '#1f2430' },
  },
  via: {
    size: [32, 32],
    anchor: 'center',
    body: [
      {
        tag: 'path',
        attributes: {
          d: 'M9 5H23A4 4 0 0 1 27 9V23A4 4 0 0 1 23 27H9A4 4 0 0 1 5 23V9A4 4 0 0 1 9 5Z',
          fill: '#ffffff',
          stroke: '#1f2430',
          'stroke-width': '4',
        },
      },
    ],
    letter: { x: 16, y: 20.5, color: '#1f2430' },
  },
  destination: {
    size: [34, 43],
    anchor: 'bottom',
    body: [drop('#1f2430')],
    letter: { x: 17, y: 20.5, color: '#ffffff' },
  },
  pickup: {
    size: [32, 32],
    anchor: 'center',
    body: [disc('#ffffff', '#1e7a35', 5)],
    letter: { x: 16, y: 20.5, color: '#1e7a35' },
  },
  dropoff: {
    size: [34, 43],
    anchor: 'bottom',
    body: [drop('#1e7a35')],
    letter: { x: 17, y: 20.5, color: '#ffffff' },
  },
  car: {
    size: [36, 36],
    anchor: 'center',
    body: [
      {
        tag: 'circle',
        attributes: { cx: '18', cy: '18', r: '16', fill: '#59bc6b', stroke: '#ffffff', 'stroke-width': '3' },
      },
      {
        tag: 'path',
        attributes: {
          d: 'M10.5 20.5v-2.2l1.9-4.6c.3-.7.9-1.2 1.7-1.2h7.8c.8 0 1.4.5 1.7 1.2l1.9 4.6v5.2h-2.6v-2h-9.8v2h-2.6z M13 17.8h10l-1.3-3.2h-7.4z',
          fill: '#1f2430',
          'fill-rule': 'evenodd',
        },
      },
    ],
    letter: { x: 18, y: 18, color: 'none' },
  },
  person: {
    size: [32, 32],
    anchor: 'center',
    body: [disc('#2f4d7d', '#ffffff', 2)],
    letter: { x: 16, y: 20.5, color: '#ffffff' },
  },
};

/** How far the middle of a pin lies above its place. */
export const middleAbovePx = (kind: MapPin['kind']): number =>
  shapes[kind].anchor === 'bottom' ? shapes[kind].size[1] / 2 : 0;

/**
 * A pin as a marker. With `onClick` it is a button that keyboard and screen reader reach, else a picture with
 * a name.
 */
export function pinMarker(pin: MapPin, name: string, onClick: (() => void) | null): maplibre.Marker {
  const shape = shapes[pin.kind];
  const [width, height] = shape.size;
  const element = document.createElement(onClick ? 'button' : 'div');
  element.style.cssText = `width:${width}px;height:${height}px;filter:drop-shadow(0 1px 3px rgb(31 36 48 / .35))`;
  element.setAttribute('aria-label', name);
  element.title = name;
  if (onClick) {
    element.setAttribute('type', 'button');
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      onClick();
    });
  } else element.setAttribute('role', 'img');

  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('width', String(width));
  picture.setAttribute('height', String(height));
  picture.setAttribute('aria-hidden', 'true');
  for (const { tag, attributes } of shape.body) {
    const part = document.createElementNS(svg, tag);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    picture.append(part);
  }
  if (shape.letter.color !== 'none') {
    const text = document.createElementNS(svg, 'text');
    text.setAttribute('x', String(shape.letter.x));
    text.setAttribute('y', String(shape.letter.y));
    text.setAttribute('text-anchor', 'middle');
    text.setAttribute('fill', shape.letter.color);
    text.setAttribute('font-size', pin.letter.length > 1 ? '11' : '13');
    text.setAttribute('font-weight', '700');
    text.setAttribute('font-family', 'system-ui, sans-serif');
    text.textContent = pin.letter;
    picture.append(text);
  }
  element.append(picture);
  return new maplibre.Marker({ element, anchor: shape.anchor }).setLngLat([pin.lon, pin.lat]);
}

/** The person's own position: a dot with a soft ring. */
export function ownMarker(at: readonly [number, number], name: string): maplibre.Marker {
  const element = document.createElement('div');
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', name);
  element.style.cssText =
    'width:20px;height:20px;border-radius:50%;background:#2f6fd0;border:3px solid #fff;box-shadow:0 0 0 8px rgb(47 111 208 / .18),0 1px 4px rgb(31 36 48 / .4)';
  return new maplibre.Marker({ element }).setLngLat([at[0], at[1]]);
}

import { expect, test } from 'vitest';
import { dragged, maxZoom, partOf, startCrop, styleOf, zoomedTo } from './crop.ts';

test('the start is the largest square in the middle', () => {
  expect(partOf(startCrop(4000, 3000))).toEqual({ left: 500, top: 0, width: 3000, height: 3000 });
  expect(partOf(startCrop(30, 400))).toEqual({ left: 0, top: 185, width: 30, height: 30 });
});

test('dragging moves the picture with the finger, never out of its frame', () => {
  const crop = startCrop(4000, 3000);
  expect(partOf(dragged(crop, 100, 0, 300)).left).toBe(500 - 1000 + 500);
  expect(partOf(dragged(crop, -10_000, -10_000, 300))).toMatchObject({ left: 1000, top: 0 });
  const near = zoomedTo(crop, 2);
  expect(partOf(dragged(near, 0, 30, 300)).top).toBe(750 - 150);
});

test('zooming keeps the point under the finger, and ends at both limits', () => {
  const crop = startCrop(3000, 3000);
  const corner = zoomedTo(crop, 2, 0, 0);
  expect(partOf(corner)).toEqual({ left: 0, top: 0, width: 1500, height: 1500 });
  expect(partOf(zoomedTo(crop, 2, 1, 0.5))).toMatchObject({ left: 1500, top: 750 });
  expect(zoomedTo(crop, 99).zoom).toBe(maxZoom);
  expect(partOf(zoomedTo(corner, 0.1))).toEqual({ left: 0, top: 0, width: 3000, height: 3000 });
});

test('the picture is laid into the frame by shares', () => {
  expect(styleOf(startCrop(4000, 2000))).toEqual({
    width: '200.000%',
    height: '100.000%',
    left: '-50.000%',
    top: '0.000%',
  });
});

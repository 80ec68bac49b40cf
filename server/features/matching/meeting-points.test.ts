import { expect, test, vi } from 'vitest';
import { createSpotsNear } from './meeting-points.ts';

test('the spots near a place are looked for once, and again for another walk', () => {
  const meetingPoints = vi.fn((at: { lon: number; lat: number }, limitMetres: number) => [
    { ...at, walkMetres: limitMetres, streetName: 'Elm Street' },
  ]);
  const spotsNear = createSpotsNear({ meetingPoints });
  const home = { lon: -122, lat: 37 };
  const first = spotsNear(home, 500);
  expect(first.map(({ walkMetres }) => walkMetres)).toEqual([500, 900]);
  const looks = meetingPoints.mock.calls.length;

  expect(spotsNear({ ...home }, 500)).toBe(first);
  expect(meetingPoints).toHaveBeenCalledTimes(looks);
  expect(spotsNear(home, 300).map(({ walkMetres }) => walkMetres)).toEqual([300, 700]);
});

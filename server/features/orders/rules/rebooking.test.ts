import { expect, test } from 'vitest';
import { rescueWindow } from './rebooking.ts';

const at = (time: string) => new Date(`2026-11-24T${time}:00Z`);
const request = { latestAt: at('09:15'), arriveBy: at('10:00') };

test.each([
  { name: 'long before: nothing changes', pickup: '09:00', now: '07:00', latest: '09:15', arrive: '10:00' },
  {
    name: 'at the last minute: an hour more',
    pickup: '09:00',
    now: '08:50',
    latest: '09:50',
    arrive: '10:35',
  },
  { name: 'after the window: open again', pickup: '09:00', now: '09:20', latest: '10:20', arrive: '11:05' },
  { name: 'at most two hours after', pickup: '09:00', now: '10:30', latest: '11:00', arrive: '11:45' },
  { name: 'much too late: stays over', pickup: '09:00', now: '14:00', latest: '11:00', arrive: '11:45' },
])('$name', ({ pickup, now, latest, arrive }) => {
  expect(rescueWindow(request, at(pickup), at(now))).toEqual({ latestAt: at(latest), arriveBy: at(arrive) });
});

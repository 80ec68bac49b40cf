import { QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Booking } from '#contract/rides/views.ts';
import { sampleBooking, sampleRide } from '#contract/rides/sample-order.ts';

// What a card needs of a browser to be drawn.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'], platform: 'Linux', userAgent: 'Test', vendor: '' });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.mock('react', async (read) => {
  const { withServerSnapshots } = await import('../../../core/stub-browser.ts');
  return withServerSnapshots(await read());
});
const { queryClient } = await import('../../../core/query-client.ts');
const { startWords } = await import('../../../core/i18n.ts');
const { PassengerAction } = await import('./passenger-card.tsx');

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null });
  await startWords(['common', 'rides']);
  vi.stubGlobal('document', undefined);
});

const buttonsOf = (part: Partial<Booking>): string[] => {
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <PassengerAction ride={sampleRide({ state: 'picking' })} booking={sampleBooking(part)} />
    </QueryClientProvider>,
  );
  return [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inner]) =>
    inner!.replaceAll(/<[^>]*>/g, ''),
  );
};

test('after the driver alone said “picked up”, a passenger confirms, takes it back or reports the driver', () => {
  const claimed = { state: 'picking', metBy: 'driver', may: ['board', 'undoMeet', 'reportDriver'] } as const;
  expect(buttonsOf({ ...claimed, may: [...claimed.may] })).toEqual([
    'I’m in the car',
    'We haven’t met',
    'Driver didn’t show up',
  ]);
});

test('who has confirmed alone takes it back or reports the driver', () => {
  expect(
    buttonsOf({ state: 'picking', metBy: 'passenger', may: ['undoMeet', 'reportDriver'] }).slice(1),
  ).toEqual(['Undo', 'Driver didn’t show up']);
});

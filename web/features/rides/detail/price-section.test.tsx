import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import { sampleBooking, sampleRide } from '#contract/rides/sample-order.ts';
import { stubBrowser } from '../../../core/stub-browser.ts';

stubBrowser();
// What a section needs of a browser to be drawn.
vi.mock('react', async (read) => {
  const { withServerSnapshots } = await import('../../../core/stub-browser.ts');
  return withServerSnapshots(await read());
});
const { queryClient } = await import('../../../core/query-client.ts');
const { keyOf } = await import('../../../core/queries.ts');
const { startWords } = await import('../../../core/i18n.ts');
const { PriceSection } = await import('./price-section.tsx');

beforeAll(async () => {
  await startWords(['common', 'payments', 'rides']);
  queryClient.setQueryData(keyOf(paymentConfig, {}), {
    serviceFeeBasisPoints: 1000,
    cardFeeBasisPoints: 290,
    cardFeeCents: 30,
  });
});

const priceOf = (
  priceKind: 'perPerson' | 'perCar',
  fares: { fareCents: number; leastCents: number },
): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <PriceSection
        order={sampleRide({
          mine: true,
          priceKind,
          costCents: 40_00,
          seats: 4,
          bookings: [sampleBooking(fares)],
        })}
      />
    </QueryClientProvider>,
  );
const lateFees = 'If a rider cancels late or doesn’t come, their fee lowers what the others share';

test('the driver of a car reads what they get whoever rides, and that late fees lower the others’ shares', () => {
  const car = priceOf('perCar', { fareCents: 40_00, leastCents: 10_00 });
  // Alone; or with three more bookings, each with a fee of its own.
  expect(car).toContain('$33.64–$34.54');
  expect(car).toContain(lateFees);
  const each = priceOf('perPerson', { fareCents: 40_00, leastCents: 40_00 });
  expect(each).toContain('$34.54');
  expect(each).not.toContain(lateFees);
});

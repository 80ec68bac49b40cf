import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import { stubBrowser } from '../../core/stub-browser.ts';
import type { Plan } from './use-plan.ts';

stubBrowser();
// What a part needs of a browser to be drawn.
vi.mock('react', async (read) => {
  const { withServerSnapshots } = await import('../../core/stub-browser.ts');
  return withServerSnapshots(await read());
});
vi.mock('./route-map.tsx', () => ({ RouteMap: () => null }));
vi.mock('./route-fields.tsx', () => ({ RouteFields: () => null }));
vi.mock('./use-planned-route.ts', () => ({ usePlannedRouteOnMap: () => ({}) }));
const { queryClient } = await import('../../core/query-client.ts');
const { keyOf } = await import('../../core/queries.ts');
const { startWords } = await import('../../core/i18n.ts');
const { emptyPlan } = await import('./plan-values.ts');
const { PlanContext } = await import('./use-plan.ts');
const { PriceFields } = await import('./price-fields.tsx');
const { RoutePart } = await import('./route-part.tsx');

beforeAll(async () => {
  await startWords(['common', 'payments', 'planning', 'rides']);
  queryClient.setQueryData(keyOf(paymentConfig, {}), {
    takesCards: true,
    serviceFeeBasisPoints: 1000,
    cardFeeBasisPoints: 290,
    cardFeeCents: 30,
  });
});

const draw = (part: ReactNode): string =>
  renderToStaticMarkup(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>);

const priceOf = (price: 'perPerson' | 'perCar', costCents: number, seats: number): string =>
  draw(
    <PriceFields
      draft={{ ...emptyPlan.driver, price, costCents, seats }}
      quote={null}
      canBePaid
      error={undefined}
      onChange={() => {}}
    />,
  );

test('beside a price stand what is left of it whoever rides, and the lowest one that works', () => {
  const car = priceOf('perCar', 2_00, 4);
  expect(car).toContain('On a $2.00 fare, you keep $0.56–$1.44 after fees.');
  expect(car).toContain('at least $2.00');
  const each = priceOf('perPerson', 6_50, 3);
  expect(each).toContain('You earn $5.36–$5.56 per person after fees.');
  expect(each).toContain('at least $0.50');
});

test('the walk is asked in minutes, in a part where its refusal is said', () => {
  const plan: Partial<Plan> = {
    kind: { side: 'passenger' } as Plan['kind'],
    order: null,
    values: emptyPlan.passenger,
    route: { quote: null, refusal: null } as Plan['route'],
    errorOf: (field) => (field === 'walkMetres' ? 'Too far' : undefined),
  };
  const drawn = draw(
    <PlanContext value={plan as Plan}>
      <RoutePart />
    </PlanContext>,
  );
  const [, part = ''] = drawn.split('id="field-walkMetres"');
  expect(part).toContain('Too far');
  expect(part).toMatch(/>8 min</);
  expect(part).not.toMatch(/\d (mi|ft)\b/);
});

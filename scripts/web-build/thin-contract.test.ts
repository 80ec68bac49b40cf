import { expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import * as rides from '#contract/rides/endpoints.ts';
import * as units from '#contract/units.ts';
import { thinModule } from './thin-contract.ts';

const read = (source: string): Promise<Record<string, unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(source)}`) as Promise<Record<string, unknown>>;

test('a browser has of a call its method, path and who may make it, and lists and figures as they are', async () => {
  const thin = await read(thinModule(rides));
  const { method, path, who } = rides.createOrder;
  expect(thin['createOrder']).toEqual({ method, path, who });
  expect(thin['maxFlexMinutes']).toBe(rides.maxFlexMinutes);
});

test('schemas and functions are left to their own file', async () => {
  const thin = await read(thinModule(units));
  expect(thin['maxSeats']).toBe(units.maxSeats);
  expect(Object.keys(thin)).not.toContain('place');
  expect(Object.keys(thin)).not.toContain('tidyText');
});

test('every call of the contract can be made with what is left of it', async () => {
  const named = allEndpoints.map((endpoint, index) => [`call${index}`, endpoint] as const);
  const thin = await read(thinModule(Object.fromEntries(named)));
  for (const [name, { method, path, who, takesFile }] of named)
    expect(thin[name]).toEqual({ method, path, who, takesFile });
});

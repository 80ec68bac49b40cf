import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { distance } from '#contract/formats/amounts.ts';
import type { FoundPlace } from '#contract/geo/endpoints.ts';
import type { PlaceSearch } from './place-search.ts';

// What the language and the clock need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('sessionStorage', storage);
// The formats draw again with the clock, which runs in a browser.
vi.mock('../../core/use-format.ts', () => ({
  useFormat: () => ({ distance: (metres: number) => distance(metres, 'en') }),
}));
const { startWords } = await import('../../core/i18n.ts');
const { SearchResults } = await import('./search-results.tsx');

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null });
  await startWords(['common', 'geo']);
});

const found = (more: Partial<FoundPlace>): FoundPlace => ({
  id: more.name ?? '',
  kind: 'place',
  category: '',
  name: '',
  detail: '',
  lon: -77.86,
  lat: 40.79,
  ...more,
});

test('a result shows the icon of its kind, its town and how far it is', () => {
  const places = [
    found({ name: 'Schlow Library', category: 'library', detail: 'South Allen Street, State College' }),
    found({ kind: 'airport', category: 'airport', name: 'State College Airport', detail: 'SCE', lat: 40.85 }),
  ];
  const search = {
    places,
    near: [-77.86, 40.79],
    active: 0,
    listId: 'list',
    optionId: (index: number) => `option-${index}`,
    error: null,
    searching: false,
    nothing: false,
  } as unknown as PlaceSearch;
  const page = renderToStaticMarkup(<SearchResults search={search} onChosen={() => {}} />);
  expect(page).toContain('data-icon="library"');
  expect(page).toContain('South Allen Street, State College · 0 ft');
  expect(page).toContain('SCE · 4.1 mi');
  expect(page).not.toMatch(/· (place|airport)|United States/);
});

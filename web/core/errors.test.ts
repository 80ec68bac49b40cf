import { beforeAll, describe, expect, test, vi } from 'vitest';
import { words as en } from '#locales/en.ts';
import { words as zh } from '#locales/zh.ts';

// What the words need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const { errorWords, fieldWords, Refused } = await import('./errors.ts');
const { i18n } = await import('./i18n.ts');

beforeAll(async () => {
  await i18n.init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    resources: { en, zh },
  });
});

const refused = (reason: string, data: object = {}) =>
  new Refused({ code: 422, info: 'The server’s own words.', reason, data });

describe('what went wrong, in words', () => {
  test.each([
    [1, '1 seat is already taken.'],
    [2, '2 seats are already taken.'],
  ])('%i of a figure that stands alone chooses the plural', (taken, words) => {
    expect(errorWords(refused('order.seatsTaken', { taken }))).toBe(words);
  });

  test('a refusal that no field shows names its field instead of pointing at a mark', () => {
    const fields = { 'location.lon': 'Please select a place.' };
    expect(errorWords(refused('input.invalid', { fields }))).toBe('Please select a place.');
    expect(errorWords(refused('input.invalid'))).toBe('Please check the marked fields.');
  });

  test('a limit’s sentence is known whatever its figure', async () => {
    expect(fieldWords('Please enter up to 37 characters.')).toBe('Please enter up to 37 characters.');
    expect(fieldWords('Please enter a year up to 2031.')).toBe('Please enter a year up to 2031.');
    await i18n.changeLanguage('zh');
    expect(fieldWords('Please enter up to 37 characters.')).toBe('最多输入 37 个字符。');
    expect(fieldWords('Please enter a year up to 2031.')).toBe('年份不能晚于 2031 年。');
    expect(fieldWords('Please enter flight number.')).toBe('请检查此项。');
    await i18n.changeLanguage('en');
  });
});

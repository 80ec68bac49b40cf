// In this order: each browser also names those it descends from.
const browsers: readonly [sign: RegExp, name: string][] = [
  [/MicroMessenger\//, 'WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [sign: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** The device behind a browser's own description, in words people know; empty where it says nothing. */
export function deviceOf(userAgent: string): { browser: string; system: string; isPhone: boolean } {
  const nameIn = (list: readonly [RegExp, string][]) =>
    list.find(([sign]) => sign.test(userAgent))?.[1] ?? '';
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return { browser, system, isPhone: system === 'iPhone' || system === 'Android' };
}

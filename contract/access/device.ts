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

/**
 * Whether two descriptions cannot be of one device: another browser on another system. A newer version is the
 * same one, and so is a page that asks for its desktop look. What said nothing of itself before is bound to
 * nothing.
 */
export function isOtherDevice(before: string, now: string): boolean {
  const [a, b] = [deviceOf(before), deviceOf(now)];
  const isKnown = a.browser !== '' || a.system !== '';
  return isKnown && a.browser !== b.browser && a.system !== b.system;
}

/** A device as people know it: `Chrome · Windows`; empty where it says nothing of itself. */
export const deviceName = (userAgent: string): string => {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter(Boolean).join(' · ');
};

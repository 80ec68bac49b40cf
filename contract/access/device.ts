// The order matters: each browser's user agent also names those it descends from.
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

/** The device of a user agent, in words people know; empty if it names none. */
export function deviceOf(userAgent: string): { browser: string; system: string; isPhone: boolean } {
  const nameIn = (list: readonly [RegExp, string][]) =>
    list.find(([sign]) => sign.test(userAgent))?.[1] ?? '';
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return { browser, system, isPhone: system === 'iPhone' || system === 'Android' };
}

/**
 * Whether two user agents cannot be the same device: different browsers on different systems. A newer version
 * counts as the same, and so does a request for the desktop site. An empty user agent matches everything.
 */
export function isOtherDevice(before: string, now: string): boolean {
  const [a, b] = [deviceOf(before), deviceOf(now)];
  const isKnown = a.browser !== '' || a.system !== '';
  return isKnown && a.browser !== b.browser && a.system !== b.system;
}

/** A device as people know it: `Chrome · Windows`; empty if the user agent names none. */
export const deviceName = (userAgent: string): string => {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter(Boolean).join(' · ');
};

import fs from 'node:fs';

/** What Playwright's `chromium.launch` takes to start a browser that needs no network and no screen. */
export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
}

const installed = '/usr/bin/chromium';

const flags = [
  '--no-sandbox',
  '--headless=new',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
];

/** Drawing a map without a graphics card takes more than everything else a journey does. */
const withMaps = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const withoutMaps = ['--disable-3d-apis', '--disable-gpu'];

/**
 * The browser that npm brings along: Chromium without its windows and menus, which takes a third less time
 * for the same pages.
 * @param drawsMaps for journeys about the map; the others go without WebGL, as some people do.
 * @param isWhole for what it lacks, such as notifications, or the machine's fonts: the machine's own Chromium
 *   where it has one.
 */
export async function chromiumLaunch({ drawsMaps = false, isWhole = false } = {}): Promise<ChromiumLaunch> {
  const args = [...flags, ...(drawsMaps ? withMaps : withoutMaps)];
  if (isWhole && fs.existsSync(installed)) return { executablePath: installed, args };
  const { default: bundled } = await import('@sparticuz/chromium');
  return { executablePath: await bundled.executablePath(), args };
}

/** Options of a journey that reads maps: `test.use(mapsDrawn)`. */
export const mapsDrawn = { launchOptions: await chromiumLaunch({ drawsMaps: true }) };

/** What a journey uses that needs more of a browser: `test.use(wholeBrowser)`. */
export const wholeBrowser = { launchOptions: await chromiumLaunch({ isWhole: true }) };

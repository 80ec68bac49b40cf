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
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
];

/** The machine's own Chromium where it has one, else the one that npm brought along. */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  if (process.env['E2E_CHROMIUM'] !== 'npm' && fs.existsSync(installed))
    return { executablePath: installed, args: flags };
  const { default: bundled } = await import('@sparticuz/chromium');
  return { executablePath: await bundled.executablePath(), args: flags };
}

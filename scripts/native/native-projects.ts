import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CapacitorConfig } from '@capacitor/cli';
import { words } from '../../locales/native.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { finishAndroid } from './android-project.ts';
import { finishIos } from './ios-project.ts';
import type { NativeSettings } from './native-settings.ts';

const capacitor = path.join(import.meta.dirname, '../../node_modules/@capacitor/cli/bin/capacitor');
const pluginScopes = /^@(capacitor|capawesome|capgo)\//;

/**
 * Makes the Android and iOS projects with Capacitor's own tool, and adds what the app needs of the phone:
 * permissions, links, push messages, pictures. Deletes the former contents of the folder.
 * @param folder two levels below this repository: the projects refer to its packages by relative paths
 */
export async function makeNativeProjects(folder: string, settings: NativeSettings): Promise<void> {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, 'www'), { recursive: true });
  writeJson(path.join(folder, 'capacitor.config.json'), capacitorConfig(settings));
  writeJson(path.join(folder, 'package.json'), { private: true, ...packageJsonOfPlugins() });
  fs.writeFileSync(path.join(folder, 'www', 'index.html'), offlinePage(settings.serverUrl));
  for (const platform of ['android', 'ios'])
    await promisify(execFile)(process.execPath, [capacitor, 'add', platform], {
      cwd: folder,
      env: { ...process.env, CAPACITOR_TELEMETRY: '0', CI: '1', NO_COLOR: '1' },
    });
  await finishAndroid(path.join(folder, 'android'), settings);
  await finishIos(path.join(folder, 'ios'), settings);
}

/** Capacitor takes up what this file names: the plugins, and nothing else of the repository. */
function packageJsonOfPlugins() {
  const only = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => pluginScopes.test(name)));
  return {
    name: packageJson.name,
    version: packageJson.version,
    dependencies: only(packageJson.dependencies),
    devDependencies: only(packageJson.devDependencies),
  };
}

function writeJson(file: string, value: unknown): void {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

const ink = '#1F2430';

/** The settings of Capacitor's web view in both apps. */
const capacitorConfig = ({ appId, serverUrl }: NativeSettings): CapacitorConfig => ({
  appId,
  appName: 'Sameway',
  webDir: 'www',
  backgroundColor: ink,
  loggingBehavior: 'debug',
  // The app is the server's own: one origin, so that cookies, sockets and pictures are those of a browser,
  // and the version of the app is always the server's (docs/decisions/0067).
  server: { url: serverUrl, errorPath: 'index.html' },
  // Over the newer bridge Android stops telling positions after five minutes in the background.
  android: { allowMixedContent: false, useLegacyBridge: true },
  ios: { limitsNavigationsToAppBoundDomains: true },
  plugins: {
    PushNotifications: { presentationOptions: ['badge', 'sound', 'banner', 'list'] },
    SocialLogin: { providers: { google: true, apple: true, facebook: false, twitter: false } },
  },
});

/** The page that the app shows where it cannot reach its server and has nothing of it in its cache. */
const offlinePage = (serverUrl: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>Sameway</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 16px; padding: 24px;
        font: 17px/26px system-ui, sans-serif; text-align: center; background: #f6f7f8; color: #1f2430; }
      h1 { margin: 0; font-size: 24px; line-height: 32px; }
      p { margin: 0; color: #4a5262; }
      a { justify-self: center; padding: 12px 24px; border-radius: 12px; background: #1f2430; color: #fff;
        text-decoration: none; font-weight: 600; }
    </style>
  </head>
  <body>
    <h1></h1>
    <p></p>
    <a href="${serverUrl}"></a>
    <script>
      const words = ${JSON.stringify({ en: words.en.offline, zh: words.zh.offline })};
      const language = /^zh\\b/i.test(navigator.language) ? 'zh' : 'en';
      document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
      document.querySelector('h1').textContent = words[language].title;
      document.querySelector('p').textContent = words[language].text;
      document.querySelector('a').textContent = words[language].action;
      addEventListener('online', () => location.replace(${JSON.stringify(serverUrl)}));
    </script>
  </body>
</html>
`;

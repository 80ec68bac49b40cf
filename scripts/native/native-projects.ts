import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { finishAndroid } from './android-project.ts';
import { capacitorConfig } from './capacitor-config.ts';
import { finishIos } from './ios-project.ts';
import type { NativeSettings } from './native-settings.ts';
import { offlinePage } from './offline-page.ts';

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

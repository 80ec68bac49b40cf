import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { phoneLinkPaths } from '../../contract/app/pages.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { makeNativeProjects } from './native-projects.ts';
import { readNativeSettings } from './native-settings.ts';

const root = path.resolve(import.meta.dirname, '../..');
// As deep as native/build: the projects name the packages by relative paths.
const [folder, again] = ['check-1', 'check-2'].map((name) => path.join(root, 'native', name)) as [
  string,
  string,
];
const settings = readNativeSettings({
  PHONE_APP_ID: 'org.example.ride',
  NATIVE_SERVER_URL: 'https://ride.example.org',
});

beforeAll(async () => {
  await makeNativeProjects(folder, settings);
  await makeNativeProjects(again, settings);
});
afterAll(() => {
  for (const each of [folder, again]) rmSync(each, { recursive: true, force: true });
});

const filesOf = (of: string): string[] =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(of, path.join(entry.parentPath, entry.name)))
    .toSorted();
const made = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const manifestFile = 'android/app/src/main/AndroidManifest.xml';
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

test('made twice, the projects are equal, byte by byte', () => {
  const files = filesOf(folder);
  expect(files.length).toBeGreaterThan(90);
  expect(filesOf(again)).toEqual(files);
  const differing = files.filter(
    (file) => !readFileSync(path.join(folder, file)).equals(readFileSync(path.join(again, file))),
  );
  expect(differing).toEqual([]);
});

test('neither project names the machine it was made on', () => {
  const naming = filesOf(folder).filter((file) => made(file).includes(root));
  expect(naming).toEqual([]);
});

describe('permissions', () => {
  test('Android asks for what the app uses, and takes out what a plugin would add', () => {
    const manifest = made(manifestFile);
    const refused = all(manifest, /permission\.(\w+)" tools:node="remove"/g);
    const named = all(manifest, /uses-permission android:name="android\.permission\.(\w+)"/g);
    expect(named.filter((name) => !refused.includes(name))).toEqual([
      'INTERNET',
      'ACCESS_COARSE_LOCATION',
      'ACCESS_FINE_LOCATION',
      'CAMERA',
      'FOREGROUND_SERVICE',
      'FOREGROUND_SERVICE_LOCATION',
      'POST_NOTIFICATIONS',
      'WAKE_LOCK',
    ]);
    for (const name of ownPlugins()) {
      const file = path.join(root, 'node_modules', name, 'android/src/main/AndroidManifest.xml');
      expect(named, name).toEqual(
        expect.arrayContaining(all(readFileSync(file, 'utf8'), /android\.permission\.([A-Z_]+)/g)),
      );
    }
  });

  test('iOS says why it asks, in English and in Chinese', () => {
    const keys = [
      'NSCameraUsageDescription',
      'NSLocationWhenInUseUsageDescription',
      'NSLocationAlwaysAndWhenInUseUsageDescription',
    ];
    expect(all(made('ios/App/App/Info.plist'), /<key>(NS\w+UsageDescription)<\/key>/g)).toEqual(keys);
    for (const language of ['en', 'zh-Hans'])
      expect(all(made(`ios/App/App/${language}.lproj/InfoPlist.strings`), /^"(\w+)" = ".+";$/gm)).toEqual(
        keys,
      );
  });

  test('both tell positions in the background, and go on telling them', () => {
    expect(made('ios/App/App/Info.plist')).toMatch(/UIBackgroundModes<\/key>\s*<array>\s*<string>location</);
    const config = made('android/app/src/main/assets/capacitor.config.json');
    expect(JSON.parse(config)).toMatchObject({ android: { useLegacyBridge: true } });
  });
});

test('links of the server open in the app on both', () => {
  const manifest = made(manifestFile);
  expect(manifest).toContain('<intent-filter android:autoVerify="true">');
  expect(all(manifest, /android:host="(.+)"/g)).toEqual(['ride.example.org']);
  expect(all(manifest, /android:pathPrefix="(.+)"/g)).toEqual([...phoneLinkPaths]);
  expect(made('ios/App/App/App.entitlements')).toContain('<string>applinks:ride.example.org</string>');
  expect(made('ios/App/App.xcodeproj/project.pbxproj').match(/CODE_SIGN_ENTITLEMENTS/g)).toHaveLength(2);
});

test('both have each plugin that the app speaks to, and open the server’s app under its name', () => {
  const spokenTo = filesOf(path.join(root, 'web/core/device')).flatMap((file) =>
    all(readFileSync(path.join(root, 'web/core/device', file), 'utf8'), /registerPlugin<\w+>\('(\w+)'\)/g),
  );
  expect(spokenTo.length).toBeGreaterThan(7);
  expect(ownPlugins().map(nameOfPlugin).toSorted()).toEqual(spokenTo.toSorted());
  const [swift, gradle] = [
    made('ios/App/CapApp-SPM/Package.swift'),
    made('android/capacitor.settings.gradle'),
  ];
  for (const name of ownPlugins()) {
    expect(swift).toContain(`path: "../../../../../node_modules/${name}"`);
    expect(gradle).toContain(`new File('../../../node_modules/${name}/android')`);
  }
  for (const file of [
    'android/app/src/main/assets/capacitor.config.json',
    'ios/App/App/capacitor.config.json',
  ])
    expect(JSON.parse(made(file))).toMatchObject({
      appId: 'org.example.ride',
      server: { url: 'https://ride.example.org' },
    });
  expect(made('android/app/build.gradle')).toContain('applicationId "org.example.ride"');
  expect(made('ios/App/App.xcodeproj/project.pbxproj')).toContain(
    'PRODUCT_BUNDLE_IDENTIFIER = org.example.ride;',
  );
});

test('push messages reach both', () => {
  expect(made(manifestFile)).toMatch(/default_notification_channel_id"\s+android:value="news"/);
  expect(made('ios/App/App/App.entitlements')).toContain('<key>aps-environment</key>');
  expect(made('ios/App/App/AppDelegate.swift')).toContain('.capacitorDidRegisterForRemoteNotifications');
});

test.each([
  ['PHONE_APP_ID', 'sameway'],
  ['PHONE_APP_ID', 'com.example.My-App'],
  ['NATIVE_SERVER_URL', 'http://ride.example.com'],
  ['NATIVE_SERVER_URL', 'https://ride.example.com/app'],
  ['NATIVE_SERVER_URL', 'ride.example.com'],
])('%s may not be %s', (name, value) => {
  expect(() => readNativeSettings({ [name]: value })).toThrow(name);
});

/** The packages with a phone's side that the app depends on. */
function ownPlugins(): string[] {
  return Object.keys(packageJson.dependencies).filter(
    (name) => /^@(capacitor|capawesome|capgo)\//.test(name) && name !== '@capacitor/core',
  );
}

/** The name by which the web side reaches a plugin, as its own code says. */
function nameOfPlugin(name: string): string {
  const sources = path.join(root, 'node_modules', name, 'android/src/main');
  const [found] = filesOf(sources)
    .filter((file) => /Plugin\.(java|kt)$|\/BackgroundGeolocation\.java$/.test(file))
    .flatMap((file) =>
      all(readFileSync(path.join(sources, file), 'utf8'), /@CapacitorPlugin\(\s*name = "(\w+)"/g),
    );
  return found ?? '';
}

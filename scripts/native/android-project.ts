import fs from 'node:fs';
import path from 'node:path';
import { appBuild, appVersion } from '../../contract/app/endpoints.ts';
import { phoneLinkPaths } from '../../contract/app/pages.ts';
import { drawIcons, drawSplashes } from './app-pictures.ts';
import { editFile } from './edit-file.ts';
import type { NativeSettings } from './native-settings.ts';

/**
 * The permissions that the app may ask the person for, and those it needs to go on sending the car's
 * position.
 */
const permissions = [
  'ACCESS_COARSE_LOCATION',
  'ACCESS_FINE_LOCATION',
  'CAMERA',
  'FOREGROUND_SERVICE',
  'FOREGROUND_SERVICE_LOCATION',
  'POST_NOTIFICATIONS',
  'WAKE_LOCK',
];
/** Of plugins, and not used: the app starts when the person starts it, and signs in by no account manager. */
const refused = ['RECEIVE_BOOT_COMPLETED', 'USE_CREDENTIALS'];
/** A phone without one of these may have the app too. */
const features = ['camera', 'location.gps'];

/** Puts permissions, links, version and pictures into the project that Capacitor has made. */
export async function finishAndroid(folder: string, { serverUrl }: NativeSettings): Promise<void> {
  const main = path.join(folder, 'app/src/main');
  editFile(path.join(main, 'AndroidManifest.xml'), [
    [
      '<manifest xmlns:android="http://schemas.android.com/apk/res/android">',
      '<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">',
    ],
    // The web view's data of a person stays on this phone.
    ['android:allowBackup="true"', 'android:allowBackup="false"'],
    ['        </activity>', `${linkFilter(new URL(serverUrl).host)}        </activity>`],
    ['    </application>', `${pushChannel}    </application>`],
    ['    <uses-permission android:name="android.permission.INTERNET" />\n', usesOfPhone()],
  ]);
  editFile(path.join(folder, 'app/build.gradle'), [
    ['versionCode 1\n', `versionCode ${appBuild}\n`],
    ['versionName "1.0"', `versionName "${appVersion}"`],
  ]);
  await drawIcons(path.join(main, 'res'), /^ic_launcher(_round|_foreground)?\.png$/);
  await drawSplashes(path.join(main, 'res'), /^splash\.png$/);
  editFile(path.join(main, 'res/values/ic_launcher_background.xml'), [['#FFFFFF', '#1F2430']]);
  addFirebase(folder);
}

/** Android opens links of these addresses in the app, once `assetlinks.json` of the server says so. */
const linkFilter = (host: string): string => `
            <intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
                <data android:scheme="https" />
                <data android:host="${host}" />
${phoneLinkPaths.map((prefix) => `                <data android:pathPrefix="${prefix}" />\n`).join('')}            </intent-filter>
`;

/** The channel that `web/core/device/phone-push.ts` makes; what arrives before that goes there too. */
const pushChannel = `
        <meta-data
            android:name="com.google.firebase.messaging.default_notification_channel_id"
            android:value="news" />
`;

const usesOfPhone = (): string =>
  [
    ...['INTERNET', ...permissions].map(
      (name) => `    <uses-permission android:name="android.permission.${name}" />\n`,
    ),
    ...refused.map(
      (name) => `    <uses-permission android:name="android.permission.${name}" tools:node="remove" />\n`,
    ),
    ...features.map(
      (name) =>
        `    <uses-feature android:name="android.hardware.${name}" android:required="false" tools:replace="android:required" />\n`,
    ),
  ].join('');

/** The keys of the Firebase project, a file that the operator puts into `native`. */
function addFirebase(folder: string): void {
  const keys = path.join(import.meta.dirname, '../../native/google-services.json');
  if (fs.existsSync(keys)) fs.copyFileSync(keys, path.join(folder, 'app/google-services.json'));
}

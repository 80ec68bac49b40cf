// Makes the Android and iOS projects of the phone app in native/build, from scratch each time:
// NATIVE_SERVER_URL=https://ride.example.com PHONE_APP_ID=com.example.sameway npm run native
import path from 'node:path';
import { makeNativeProjects } from './native/native-projects.ts';
import { readNativeSettings } from './native/native-settings.ts';

const folder = path.join(import.meta.dirname, '..', 'native', 'build');
const settings = readNativeSettings(process.env);
await makeNativeProjects(folder, settings);
process.stdout.write(
  `${settings.appId} for ${settings.serverUrl}, in native/build: android/ opens in Android Studio, ios/App in Xcode.
They are compiled there, not here (native/README.md).\n`,
);

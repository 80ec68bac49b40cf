import type { CapacitorConfig } from '@capacitor/cli';
import type { NativeSettings } from './native-settings.ts';

const ink = '#1F2430';

/** The settings of Capacitor's web view in both apps. */
export const capacitorConfig = ({ appId, serverUrl }: NativeSettings): CapacitorConfig => ({
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

/** The product and the server of the phone app. */
export interface NativeSettings {
  /** The package of the Android app and the bundle of the iOS app. */
  appId: string;
  /** The origin of the server that the app opens, without a slash at the end. */
  serverUrl: string;
}

const example = { appId: 'com.example.sameway', serverUrl: 'https://ride.example.com' };

/**
 * Reads them from environment variables.
 * @throws Error that names the variable and what is wrong with it.
 */
export function readNativeSettings({
  PHONE_APP_ID: appId = example.appId,
  NATIVE_SERVER_URL: address = example.serverUrl,
}: NodeJS.ProcessEnv): NativeSettings {
  if (!/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/.test(appId))
    throw new Error(`PHONE_APP_ID: expected an app’s name, as in ${example.appId}`);
  const url = URL.parse(address);
  // Phones verify links, and keep sign-ins, of https alone.
  if (url?.protocol !== 'https:' || url.pathname !== '/')
    throw new Error(`NATIVE_SERVER_URL: expected the PUBLIC_URL of the server, as in ${example.serverUrl}`);
  return { appId, serverUrl: url.origin };
}

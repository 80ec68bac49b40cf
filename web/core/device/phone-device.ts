import type { AppPlugin } from '@capacitor/app';
import type { BrowserPlugin } from '@capacitor/browser';
import { Capacitor, CapacitorHttp, registerPlugin } from '@capacitor/core';
import type { GeolocationPlugin } from '@capacitor/geolocation';
import type { SharePlugin } from '@capacitor/share';
import type { BadgePlugin } from '@capawesome/capacitor-badge';
import type { BackgroundGeolocationPlugin } from '@capgo/background-geolocation';
import type { SocialLoginPlugin } from '@capgo/capacitor-social-login';
import type { Device } from './device.ts';
import { closePhoneNotices, followTaps, phonePush } from './phone-push.ts';

// Only the phone's side of the plugins: what they bring along for browsers would be loaded for nothing.
const app = registerPlugin<AppPlugin>('App');
const browser = registerPlugin<BrowserPlugin>('Browser');
const geolocation = registerPlugin<GeolocationPlugin>('Geolocation');
const background = registerPlugin<BackgroundGeolocationPlugin>('BackgroundGeolocation');
const sharing = registerPlugin<SharePlugin>('Share');
const badge = registerPlugin<BadgePlugin>('Badge');
const accounts = registerPlugin<SocialLoginPlugin>('SocialLogin');

/** Where an outside provider leads back to; the page that waits for it is open in the app. */
const landing = '/pages/auth/oauth';
const launchKey = 'sameway.launchLink';
/** A network that does not answer never ends a call. */
const postWithinMs = 30_000;

/** The phone behind the app's web view, by the plugins of Capacitor. */
export const createPhoneDevice = (): Device => ({
  position,
  follow,
  post,
  canShare: true,
  share,
  showBadge(count) {
    // Not every launcher of Android shows one.
    void (count === 0 ? badge.clear() : badge.set({ count })).catch(() => {});
  },
  push: async () => phonePush,
  closeNotices: closePhoneNotices,
  followLinks,
  // Providers refuse to sign people in inside a web view.
  leaveFor: (url) => void browser.open({ url }),
  idToken,
});

const position: Device['position'] = async ({ withinMs, maxAgeMs }) => {
  try {
    const { coords } = await geolocation.getCurrentPosition({
      enableHighAccuracy: true,
      timeout: withinMs,
      maximumAge: maxAgeMs,
    });
    return { lon: coords.longitude, lat: coords.latitude, headingDegrees: coords.heading };
  } catch {
    return null;
  }
};

const follow: Device['follow'] = ({ moved, lost, notice }) => {
  let ended = false;
  const started = background
    .start(
      { backgroundTitle: notice.title, backgroundMessage: notice.text, requestPermissions: true },
      (at, error) => {
        if (ended) return;
        if (at) moved({ lon: at.longitude, lat: at.latitude, headingDegrees: at.bearing });
        else lost(error?.code === 'NOT_AUTHORIZED' ? 'refused' : 'unknown');
      },
    )
    .catch(() => lost('unknown'));
  return () => {
    ended = true;
    // What is still starting is stopped once it runs.
    void started.then(() => background.stop()).catch(() => {});
  };
};

const post: Device['post'] = async (path, { headers, body }) => {
  const answer = await CapacitorHttp.post({
    url: new URL(path, location.origin).href,
    headers,
    data: body,
    connectTimeout: postWithinMs,
    readTimeout: postWithinMs,
  });
  // JSON arrives read already.
  const data: unknown = answer.data;
  return new Response(typeof data === 'string' ? data : JSON.stringify(data), {
    status: answer.status,
    headers: answer.headers,
  });
};

const share: Device['share'] = async (what) => {
  try {
    await sharing.share(what);
    return 'shared';
  } catch (error) {
    return error instanceof Error && /cancel/i.test(error.message) ? 'left' : 'failed';
  }
};

const followLinks: Device['followLinks'] = (open) => {
  const openLink = (url: string) => {
    const path = pathInApp(url);
    if (path === null) return;
    if (path.startsWith(landing)) void browser.close().catch(() => {});
    open(path);
  };
  void app.addListener('appUrlOpen', ({ url }) => openLink(url));
  // iOS tells of the link that started the app as of any other; Android only when it is asked.
  if (Capacitor.getPlatform() === 'android') void openLaunchLink(openLink);
  // On Android the app takes the back key over: it goes back, and puts the app away where there is no way.
  void app.addListener('backButton', ({ canGoBack }) => {
    if (canGoBack) history.back();
    else void app.minimizeApp();
  });
  followTaps((path) => {
    if (pathInApp(path) !== null) open(path);
  });
};

/** Google's own sign-in exists on Android phones, Apple's on iPhones; other providers have none. */
const idToken: Device['idToken'] = async ({ authorizationUrl, nonce }) => {
  const { hostname, searchParams } = new URL(authorizationUrl);
  try {
    if (hostname === 'accounts.google.com' && Capacitor.getPlatform() === 'android')
      return await googleToken(searchParams.get('client_id') ?? '', nonce);
    if (hostname === 'appleid.apple.com' && Capacitor.getPlatform() === 'ios') return await appleToken(nonce);
  } catch {
    return '';
  }
  return null;
};

/** A page that is loaded again was not started by the link once more. */
async function openLaunchLink(openLink: (url: string) => void): Promise<void> {
  const url = (await app.getLaunchUrl())?.url ?? '';
  if (url === '' || sessionStorage.getItem(launchKey) === url) return;
  sessionStorage.setItem(launchKey, url);
  openLink(url);
}

/** A link to this installation as a path; null for any other address. */
function pathInApp(url: string): string | null {
  const { origin, pathname, search, hash } = new URL(url, location.origin);
  return origin === location.origin ? pathname + search + hash : null;
}

async function googleToken(webClientId: string, nonce: string): Promise<string> {
  await accounts.initialize({ google: { webClientId, mode: 'online' } });
  const { result } = await accounts.login({ provider: 'google', options: { nonce } });
  return 'idToken' in result ? (result.idToken ?? '') : '';
}

async function appleToken(nonce: string): Promise<string> {
  await accounts.initialize({ apple: {} });
  const { result } = await accounts.login({
    provider: 'apple',
    options: { scopes: ['email', 'name'], nonce },
  });
  return result.idToken ?? '';
}

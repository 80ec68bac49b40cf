import type { BrowserContext, Page } from '@playwright/test';

/** A call that the app made of the phone. */
export interface PhoneCall {
  plugin: string;
  method: string;
  options: Record<string, unknown>;
}

interface FakePhone {
  calls: PhoneCall[];
  /** Tells all who listen to an event of a plugin. */
  emit: (plugin: string, event: string, data: unknown) => void;
  /** Calls back what a method was given, as background positions are. */
  callBack: (plugin: string, method: string, data: unknown) => void;
  listen: (key: string, callback: (data: unknown) => void) => void;
  answer: (call: PhoneCall) => unknown;
}

type PhoneWindow = typeof globalThis & {
  fakePhone: FakePhone;
  signIdToken?: (nonce: string) => Promise<string>;
};

/** What the phone behind the bridge has. */
export interface PhoneFacts {
  pushToken: string;
  /** The link that started the app. */
  launchUrl?: string;
  /** The phone's own account: what its provider signs for a nonce. */
  signIdToken?: (nonce: string) => Promise<string>;
}

/** What each plugin of the app answers once, by a promise. */
const promisedMethods: Record<string, string[]> = {
  App: ['getLaunchUrl', 'minimizeApp'],
  Browser: ['open', 'close'],
  Geolocation: ['getCurrentPosition'],
  BackgroundGeolocation: ['stop'],
  CapacitorHttp: ['post'],
  Share: ['share'],
  Badge: ['set', 'clear'],
  PushNotifications: [
    'checkPermissions',
    'requestPermissions',
    'register',
    'unregister',
    'createChannel',
    'getDeliveredNotifications',
    'removeAllDeliveredNotifications',
  ],
  SocialLogin: ['initialize', 'login'],
};

/**
 * Opens the pages of a context as Capacitor's web view on Android does: its bridge stands in the page before
 * any script runs. Behind it is no phone, but a list of what was asked of it.
 */
export async function insidePhoneApp(
  context: BrowserContext,
  { pushToken, launchUrl, signIdToken }: PhoneFacts,
): Promise<void> {
  if (signIdToken !== undefined) await context.exposeFunction('signIdToken', signIdToken);
  await context.addInitScript(putPhone, { token: pushToken, url: launchUrl });
  await context.addInitScript(putBridge, promisedMethods);
}

/** Runs in the page: the phone, and what it answers. */
function putPhone({ token, url }: { token: string; url: string | undefined }): void {
  const listeners = new Map<string, ((data: unknown) => void)[]>();
  const tell = (key: string, data: unknown) => {
    for (const callback of listeners.get(key) ?? []) callback(data);
  };
  let isAllowed = false;
  const post = async ({ url: to, headers, data }: Record<string, unknown>) => {
    const body = JSON.stringify(data);
    const answered = await fetch(to as string, { method: 'POST', headers: headers as HeadersInit, body });
    return {
      status: answered.status,
      headers: Object.fromEntries(answered.headers),
      data: (await answered.json()) as unknown,
    };
  };
  const signIn = async ({ options }: Record<string, unknown>) => {
    const { nonce } = options as { nonce: string };
    return { result: { idToken: await (globalThis as PhoneWindow).signIdToken?.(nonce) } };
  };
  const phone: FakePhone = {
    calls: [],
    emit: (plugin, event, data) => tell(`${plugin}.${event}`, data),
    callBack: (plugin, method, data) => tell(`${plugin}:${method}`, data),
    listen: (key, callback) => listeners.set(key, [...(listeners.get(key) ?? []), callback]),
    answer({ plugin, method, options }) {
      if (plugin === 'CapacitorHttp') return post(options);
      if (method === 'login') return signIn(options);
      if (method === 'getLaunchUrl') return url === undefined ? {} : { url };
      if (method === 'requestPermissions') isAllowed = true;
      if (method === 'requestPermissions' || method === 'checkPermissions')
        return { receive: isAllowed ? 'granted' : 'prompt' };
      if (method === 'register') phone.emit(plugin, 'registration', { value: token });
      if (method === 'getCurrentPosition')
        return { coords: { longitude: -122.0408, latitude: 36.9689, heading: null }, timestamp: 0 };
      return method === 'getDeliveredNotifications' ? { notifications: [] } : {};
    },
  };
  Object.assign(globalThis, { fakePhone: phone });
}

/** Runs in the page: what Capacitor's own script puts there, in front of the phone. */
function putBridge(promisedOf: Record<string, string[]>): void {
  const phone = (globalThis as PhoneWindow).fakePhone;
  const bridge = {
    isNativePlatform: () => true,
    PluginHeaders: Object.entries(promisedOf).map(([name, promised]) => ({
      name,
      methods: [
        ...promised.map((method) => ({ name: method, rtype: 'promise' })),
        ...['addListener', 'start'].map((method) => ({ name: method, rtype: 'callback' })),
        { name: 'removeListener', rtype: 'promise' },
      ],
    })),
    nativePromise: async (plugin: string, method: string, options: Record<string, unknown> = {}) => {
      const asked = { plugin, method, options };
      phone.calls.push(asked);
      return phone.answer(asked);
    },
    nativeCallback: async (
      plugin: string,
      method: string,
      options: Record<string, unknown>,
      callback: (data: unknown) => void,
    ) => {
      if (method === 'addListener') phone.listen(`${plugin}.${String(options['eventName'])}`, callback);
      else {
        phone.calls.push({ plugin, method, options });
        phone.listen(`${plugin}:${method}`, callback);
      }
      return `${plugin}-${method}`;
    },
  };
  Object.assign(globalThis, { androidBridge: {}, Capacitor: bridge });
}

/** What the app asked of one method of the phone so far. */
export const callsTo = (page: Page, plugin: string, method: string): Promise<PhoneCall['options'][]> =>
  page.evaluate(
    ([asked, wanted]) =>
      (globalThis as PhoneWindow).fakePhone.calls
        .filter((each) => each.plugin === asked && each.method === wanted)
        .map(({ options }) => options),
    [plugin, method],
  );

/** Something happens to the phone: a link is tapped, a notification, a token arrives. */
export const happen = (page: Page, [plugin, event]: [string, string], data: unknown): Promise<void> =>
  page.evaluate((of) => (globalThis as PhoneWindow).fakePhone.emit(of.plugin, of.event, of.data), {
    plugin,
    event,
    data,
  });

/** The phone moves, or does not know any more where it is. */
export const move = (page: Page, at: { lon: number; lat: number }): Promise<void> =>
  page.evaluate(
    ({ lon, lat }) =>
      (globalThis as PhoneWindow).fakePhone.callBack('BackgroundGeolocation', 'start', {
        longitude: lon,
        latitude: lat,
        bearing: 90,
      }),
    at,
  );

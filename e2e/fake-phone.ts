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
}

type PhoneWindow = typeof globalThis & { fakePhone: FakePhone };

/** What each plugin of the app answers once, by a promise. */
const promisedMethods: Record<string, string[]> = {
  App: ['getLaunchUrl', 'minimizeApp'],
  Browser: ['open', 'close'],
  Geolocation: ['getCurrentPosition'],
  BackgroundGeolocation: ['stop'],
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
export const insidePhoneApp = (context: BrowserContext, token: string): Promise<unknown> =>
  context.addInitScript(
    ({ methods, pushToken }) => {
      const listeners = new Map<string, ((data: unknown) => void)[]>();
      const listen = (key: string, callback: (data: unknown) => void) =>
        listeners.set(key, [...(listeners.get(key) ?? []), callback]);
      const tell = (key: string, data: unknown) => {
        for (const callback of listeners.get(key) ?? []) callback(data);
      };
      let isAllowed = false;
      const phone: FakePhone = {
        calls: [],
        emit: (plugin, event, data) => tell(`${plugin}.${event}`, data),
        callBack: (plugin, method, data) => tell(`${plugin}:${method}`, data),
      };
      const answer = (plugin: string, method: string): unknown => {
        if (method === 'requestPermissions') isAllowed = true;
        if (method === 'requestPermissions' || method === 'checkPermissions')
          return { receive: isAllowed ? 'granted' : 'prompt' };
        if (method === 'register') phone.emit(plugin, 'registration', { value: pushToken });
        if (method === 'getCurrentPosition')
          return { coords: { longitude: -122.0408, latitude: 36.9689, heading: null }, timestamp: 0 };
        return method === 'getDeliveredNotifications' ? { notifications: [] } : {};
      };
      const bridge = {
        isNativePlatform: () => true,
        PluginHeaders: Object.entries(methods).map(([name, promised]) => ({
          name,
          methods: [
            ...promised.map((method) => ({ name: method, rtype: 'promise' })),
            ...['addListener', 'start'].map((method) => ({ name: method, rtype: 'callback' })),
            { name: 'removeListener', rtype: 'promise' },
          ],
        })),
        nativePromise: async (plugin: string, method: string, options: Record<string, unknown> = {}) => {
          phone.calls.push({ plugin, method, options });
          return answer(plugin, method);
        },
        nativeCallback: async (
          plugin: string,
          method: string,
          options: Record<string, unknown>,
          callback: (data: unknown) => void,
        ) => {
          if (method === 'addListener') listen(`${plugin}.${String(options['eventName'])}`, callback);
          else {
            phone.calls.push({ plugin, method, options });
            listen(`${plugin}:${method}`, callback);
          }
          return `${plugin}-${method}`;
        },
      };
      Object.assign(globalThis, { androidBridge: {}, Capacitor: bridge, fakePhone: phone });
    },
    { methods: promisedMethods, pushToken: token },
  );

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

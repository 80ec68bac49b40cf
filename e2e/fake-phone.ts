import type { BrowserContext, Page } from '@playwright/test';
import { bridgeScript, pluginHeaders, type Platform } from './phone-plugins.ts';

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
  /** @param key `Plugin.event`, or `Plugin:method` for what a method calls back. */
  listen: (key: string, callbackId: string, callback: (data: unknown) => void) => void;
  forget: (key: string, callbackId: string) => void;
  answer: (call: PhoneCall) => Promise<unknown>;
}

/** What a page sends over Capacitor's bridge. */
interface BridgeCall {
  callbackId: string;
  pluginId: string;
  methodName: string;
  options: Record<string, unknown>;
}

type PhoneWindow = typeof globalThis & {
  fakePhone: FakePhone;
  Capacitor: { fromNative: (result: object) => void };
  androidBridge: { onmessage: (message: { data: string }) => void };
  signIdToken?: (nonce: string) => Promise<string>;
};

/** What the phone behind the bridge has. */
export interface PhoneFacts {
  platform: Platform;
  pushToken: string;
  /** The link that started the app. */
  launchUrl?: string;
  /** The phone's own account: what its provider signs for a nonce. */
  signIdToken?: (nonce: string) => Promise<string>;
}

/**
 * Opens the pages of a context as Capacitor's web view does: Capacitor's own script for the platform runs in
 * the page before any other, with the plugins as their native sources list them. Instead of a phone, it calls
 * a list that records what was asked of it.
 */
export async function insidePhoneApp(
  context: BrowserContext,
  { platform, pushToken, launchUrl, signIdToken }: PhoneFacts,
): Promise<void> {
  if (signIdToken !== undefined) await context.exposeFunction('signIdToken', signIdToken);
  const phone = { platform, token: pushToken, url: launchUrl };
  const bridge = { platform, plugins: pluginHeaders(platform) };
  // One script: the order of several is not promised.
  const content = [
    `(${String(putPhone)})(${JSON.stringify(phone)});`,
    `(${String(putBridge)})(${JSON.stringify(bridge)});`,
    bridgeScript(platform),
  ].join('\n');
  await context.addInitScript({ content });
}

/** Runs in the page: the phone, and what it answers. */
function putPhone({ platform, token, url }: { platform: Platform; token: string; url?: string }): void {
  const listeners = new Map<string, Map<string, (data: unknown) => void>>();
  const tell = (key: string, data: unknown) => {
    for (const callback of listeners.get(key)?.values() ?? []) callback(data);
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
  const launched = 'fakePhone.launched';
  const phone: FakePhone = {
    calls: [],
    emit: (plugin, event, data) => tell(`${plugin}.${event}`, data),
    callBack: (plugin, method, data) => tell(`${plugin}:${method}`, data),
    listen(key, callbackId, callback) {
      listeners.set(key, (listeners.get(key) ?? new Map()).set(callbackId, callback));
      // An iPhone tells of the link that started the app once, when the app begins to listen.
      const tellsLink = platform === 'ios' && key === 'App.appUrlOpen' && url !== undefined;
      if (!tellsLink || sessionStorage.getItem(launched) !== null) return;
      sessionStorage.setItem(launched, 'true');
      callback({ url });
    },
    forget: (key, callbackId) => void listeners.get(key)?.delete(callbackId),
    async answer({ plugin, method, options }) {
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

/** Runs in the page: how Capacitor's script reaches the phone, and is answered, on each platform. */
function putBridge({ platform, plugins }: { platform: Platform; plugins: object[] }): void {
  const page = globalThis as PhoneWindow;
  const phone = page.fakePhone;
  const answer = ({ callbackId, pluginId, methodName }: BridgeCall, result: object) => {
    const full = { callbackId, pluginId, methodName, ...result };
    if (platform === 'ios') page.Capacitor.fromNative(full);
    else page.androidBridge.onmessage({ data: JSON.stringify(full) });
  };
  const receive = (call: BridgeCall) => {
    const { callbackId, pluginId: plugin, methodName: method, options } = call;
    const event = `${plugin}.${String(options['eventName'])}`;
    const callBack = (data: unknown) => answer(call, { save: true, success: true, data });
    if (method === 'addListener') return phone.listen(event, callbackId, callBack);
    if (method === 'removeListener') return phone.forget(event, String(options['callbackId']));
    const asked = { plugin, method, options };
    phone.calls.push(asked);
    if (method === 'start') return phone.listen(`${plugin}:${method}`, callbackId, callBack);
    void phone.answer(asked).then(
      (data) => answer(call, { save: false, success: true, data }),
      (error: unknown) => answer(call, { success: false, error: { message: String(error) } }),
    );
  };
  const bridges: Record<Platform, object> = {
    android: { androidBridge: { postMessage: (data: string) => receive(JSON.parse(data) as BridgeCall) } },
    ios: {
      webkit: { messageHandlers: { bridge: { postMessage: receive } } },
      // Capacitor's script asks whether cookies and calls go by the phone, and waits for the answer.
      prompt: () => 'false',
    },
  };
  const Capacitor = { DEBUG: false, isLoggingEnabled: false, Plugins: {}, PluginHeaders: plugins };
  Object.assign(page, bridges[platform], { Capacitor });
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

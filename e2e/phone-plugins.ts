import fs from 'node:fs';
import path from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

export type Platform = 'android' | 'ios';

/** What Capacitor's script knows of a plugin, as the phone puts it into the page. */
interface PluginHeader {
  name: string;
  methods: { name: string; rtype?: 'promise' | 'callback' }[];
}

const modules = path.join(import.meta.dirname, '..', 'node_modules');

/** Where Capacitor itself keeps its script, and the one of its own plugins that the app speaks to. */
const ofCapacitor: Record<Platform, { script: string; http: string }> = {
  android: {
    script: '@capacitor/android/capacitor/src/main/assets/native-bridge.js',
    http: '@capacitor/android/capacitor/src/main/java/com/getcapacitor/plugin/CapacitorHttp.java',
  },
  ios: {
    script: '@capacitor/ios/Capacitor/Capacitor/assets/native-bridge.js',
    http: '@capacitor/ios/Capacitor/Capacitor/Plugins/CapacitorHttp.swift',
  },
};

const sourcesOf: Record<Platform, { folder: string; files: RegExp; method: RegExp }> = {
  android: {
    folder: 'android/src/main',
    files: /\.(java|kt)$/,
    method: /@PluginMethod(?:\(\w+ = PluginMethod\.RETURN_(\w+)\))?[\s@\w]*? (?:void|fun) (\w+)\(/g,
  },
  ios: {
    folder: 'ios',
    files: /(?<!Tests)\.swift$/,
    method: /name: "(\w+)", returnType: CAPPluginReturn(\w+)/g,
  },
};

/** What each plugin has on both phones. */
const ofEachPlugin: PluginHeader['methods'] = [
  { name: 'addListener' },
  { name: 'removeListener' },
  { name: 'removeAllListeners', rtype: 'promise' },
  { name: 'checkPermissions', rtype: 'promise' },
  { name: 'requestPermissions', rtype: 'promise' },
];

/** The script by which pages speak to the phone: Capacitor’s own. */
export const bridgeScript = (platform: Platform): string =>
  fs.readFileSync(path.join(modules, ofCapacitor[platform].script), 'utf8');

/** The plugins of the app with the methods that their native sources have on a platform. */
export function pluginHeaders(platform: Platform): PluginHeader[] {
  const packages = Object.keys(packageJson.dependencies).filter(
    (name) => /^@(capacitor|capawesome|capgo)\//.test(name) && name !== '@capacitor/core',
  );
  const plugins = packages.map((name) => ({
    name: nameOf(name),
    text: textOf(name, sourcesOf[platform]),
  }));
  const http = fs.readFileSync(path.join(modules, ofCapacitor[platform].http), 'utf8');
  return [...plugins, { name: 'CapacitorHttp', text: http }].map(({ name, text }) => ({
    name,
    methods: [...ofEachPlugin, ...methodsIn(text, platform)],
  }));
}

function methodsIn(text: string, platform: Platform): PluginHeader['methods'] {
  return [...text.matchAll(sourcesOf[platform].method)].map(([, first = '', second = '']) => {
    const [name, returns] = platform === 'ios' ? [first, second] : [second, first];
    return { name, rtype: returns.toLowerCase() === 'callback' ? 'callback' : 'promise' };
  });
}

/** The name of a plugin is the same on both phones; Apple’s side says it in one place. */
function nameOf(packageName: string): string {
  const [, name] = /jsName = "(\w+)"/.exec(textOf(packageName, sourcesOf.ios)) ?? [];
  if (name === undefined) throw new Error(`${packageName} names no plugin.`);
  return name;
}

function textOf(packageName: string, { folder, files }: { folder: string; files: RegExp }): string {
  const root = path.join(modules, packageName, folder);
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => files.test(file))
    .map((file) => fs.readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
}

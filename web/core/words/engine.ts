/**
 * What the app asks of i18next, in a small part of its size: the browser gets it in its place
 * (`resolve.alias` in vite.config.ts). Namespaces, dotted keys, `{{figures}}`, plurals, and another language
 * for what one lacks. A test holds it against i18next, text by text. The types stay those of i18next.
 */
export type Figures = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Options = Figures & {
  defaultValue?: string;
  returnObjects?: boolean;
  lng?: string;
};

interface Settings {
  lng: string;
  fallbackLng: string;
  defaultNS: string;
}

type Listener = () => void;
type NewsKind = 'languageChanged' | 'added';

export type Translate = (key: string, options?: Options) => unknown;

type Instance = ReturnType<typeof createInstance>;

let current: Instance | null = null;

/** The one whose words the components draw. */
export function startedInstance(): Instance {
  if (current === null) throw new Error('No words have been started.');
  return current;
}

/** The words of each language, by namespace. */
function keptBundles() {
  const kept = new Map<string, unknown>();
  /** Read before they were there. */
  const missed = new Set<string>();
  const nameOf = (language: string, namespace: string) => `${language}:${namespace}`;
  const get = (language: string, namespace: string) => kept.get(nameOf(language, namespace));
  return {
    get,
    has: (language: string, namespace: string) => kept.has(nameOf(language, namespace)),
    /** For what is drawn. */
    read(language: string, namespace: string): unknown {
      const words = get(language, namespace);
      if (words === undefined) missed.add(nameOf(language, namespace));
      return words;
    },
    /** @returns whether they were read before they were there. */
    add(language: string, namespace: string, words: unknown): boolean {
      const name = nameOf(language, namespace);
      kept.set(name, words);
      return missed.delete(name);
    },
  };
}

export function createInstance() {
  const bundles = keptBundles();
  const listeners: Record<NewsKind, Set<Listener>> = { languageChanged: new Set(), added: new Set() };
  let settings: Settings = { lng: 'en', fallbackLng: 'en', defaultNS: 'common' };

  let version = 0;
  /**
   * One function for a namespace as long as the words are the same: values memoized by it stay valid for that
   * time.
   */
  const fixed = new Map<string, Translate>();
  const tell = (kind: NewsKind) => {
    version += 1;
    fixed.clear();
    for (const listener of listeners[kind]) listener();
  };

  const translateIn =
    (namespace: string, ownOptions: Options = {}): Translate =>
    (key, given = {}) => {
      const options = { ...ownOptions, ...given };
      const cut = key.indexOf(':');
      const path = key.slice(cut + 1);
      const languages = new Set([options.lng ?? settings.lng, settings.fallbackLng]);
      const found = find(
        [...languages].map((language) => ({
          language,
          words: bundles.read(language, cut < 0 ? namespace : key.slice(0, cut)),
        })),
        path,
        options['count'],
      );
      return filledIn(found ?? options.defaultValue ?? path, options);
    };

  const t: Translate = (key, options) => translateIn(settings.defaultNS)(key, options);

  const instance = {
    get language() {
      return settings.lng;
    },
    /** Another number whenever other words would be shown. */
    get version() {
      return version;
    },
    use: () => instance,
    init(given: Settings): Promise<void> {
      settings = { lng: given.lng, fallbackLng: given.fallbackLng, defaultNS: given.defaultNS };
      current = instance;
      return Promise.resolve();
    },
    t,
    getFixedT(lng: string | null, namespace: string = settings.defaultNS): Translate {
      const name = `${lng ?? ''}:${namespace}`;
      const made = fixed.get(name) ?? translateIn(namespace, lng === null ? {} : { lng });
      fixed.set(name, made);
      return made;
    },
    changeLanguage(language: string): Promise<void> {
      settings = { ...settings, lng: language };
      tell('languageChanged');
      return Promise.resolve();
    },
    on: (kind: NewsKind, listener: Listener) => void listeners[kind].add(listener),
    off: (kind: NewsKind, listener: Listener) => void listeners[kind].delete(listener),
    hasResourceBundle: bundles.has,
    getResourceBundle: bundles.get,
    addResourceBundle(language: string, namespace: string, words: unknown): void {
      // Where no component has asked for them, nothing is drawn again: a whole page is a long task.
      if (bundles.add(language, namespace, words)) tell('added');
    },
  };
  return instance;
}

const plurals = new Map<string, Intl.PluralRules>();

/** The ends of a key that a language knows for a count, the most fitting first. */
function endsFor(language: string, count: unknown): string[] {
  if (typeof count !== 'number') return [''];
  let rules = plurals.get(language);
  if (rules === undefined) {
    rules = new Intl.PluralRules(language);
    plurals.set(language, rules);
  }
  return [...(count === 0 ? ['_zero'] : []), `_${rules.select(count)}`, ''];
}

/** What the first of these languages that has it says at a path. */
function find(
  bundles: readonly { language: string; words: unknown }[],
  path: string,
  count: unknown,
): unknown {
  for (const { language, words } of bundles)
    for (const end of endsFor(language, count)) {
      const found = at(words, path + end);
      if (found !== undefined && found !== '') return found;
    }
  return undefined;
}

/** The value of a dotted path; a key may hold a dot itself, as those of refusals do. */
function at(bundle: unknown, path: string): unknown {
  if (typeof bundle !== 'object' || bundle === null) return undefined;
  const words = bundle as Readonly<Record<string, unknown>>;
  if (path in words) return words[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const found = at(words[path.slice(0, dot)], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Puts the figures in; a placeholder without one stays. */
function filledIn(words: unknown, options: Options): unknown {
  if (typeof words === 'string')
    return words.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => {
      const value = options[name];
      return value === undefined ? placeholder : String(value ?? '');
    });
  if (Array.isArray(words)) return words.map((each) => filledIn(each, options));
  if (typeof words === 'object' && words !== null)
    return Object.fromEntries(Object.entries(words).map(([key, each]) => [key, filledIn(each, options)]));
  return words;
}

const files = import.meta.glob<object>('./en/*.json', { eager: true, import: 'default' });

/** Every namespace of this language, by its file's name. */
export const words: Record<string, object> = Object.fromEntries(
  Object.entries(files).map(([path, bundle]) => [path.slice('./en/'.length, -'.json'.length), bundle]),
);

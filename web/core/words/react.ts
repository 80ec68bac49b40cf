import { cloneElement, useSyncExternalStore, type ReactElement, type ReactNode } from 'react';
import { startedInstance, type Figures, type Translate } from './engine.ts';

/**
 * The part of react-i18next that the app uses; replaces it in the browser, on top of `engine.ts`. Components
 * are drawn again when their language or words have changed.
 */
export function useTranslation(namespaces: string | readonly string[] = 'common') {
  const i18n = startedInstance();
  const namespace = typeof namespaces === 'string' ? namespaces : (namespaces[0] ?? 'common');
  useSyncExternalStore(follow, readVersion, readVersion);
  return { t: i18n.getFixedT(null, namespace), i18n };
}

const readVersion = () => startedInstance().version;

function follow(listener: () => void): () => void {
  const i18n = startedInstance();
  i18n.on('languageChanged', listener);
  i18n.on('added', listener);
  return () => {
    i18n.off('languageChanged', listener);
    i18n.off('added', listener);
  };
}

/** i18next learns of React by it; here both know each other. */
export const initReactI18next = {};

/** A sentence with elements in it: `<terms>the terms</terms>` is drawn by `components.terms`. */
export function Trans({
  t,
  i18nKey,
  values,
  components,
}: {
  t: Translate;
  i18nKey: string;
  values?: Figures;
  components: Readonly<Record<string, ReactElement>>;
}): ReactNode {
  const sentence = String(t(i18nKey, values));
  // Every third part is between tags, after the name of its tag.
  return sentence.split(/<(\w+)>(.*?)<\/\1>/).map((part, index, parts) => {
    if (index % 3 === 0) return part;
    const element = components[part];
    return index % 3 === 1 && element !== undefined
      ? cloneElement(element, { key: part }, parts[index + 1])
      : null;
  });
}

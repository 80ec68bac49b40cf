import type { Language } from '#contract/formats/intl.ts';

/** The supported language that a browser names first in `accept-language`; English where it names none. */
export function acceptedLanguage(accepts: string | undefined): Language {
  const first = (accepts ?? '').split(',').find((each) => /^\s*(en|zh)\b/i.test(each));
  return first?.trim().toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
}

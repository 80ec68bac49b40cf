import en from './en/native.json' with { type: 'json' };
import zh from './zh/native.json' with { type: 'json' };

/** What the phone apps say themselves, before the web app is there to speak. */
export const words = { en, zh };

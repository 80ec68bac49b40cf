export { default as reasons } from '../../../locales/en/reasons.json';
export { default as sentences } from '../../../locales/en/sentences.json';

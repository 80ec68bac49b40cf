export { default as reasons } from '../../../locales/zh/reasons.json';
export { default as sentences } from '../../../locales/zh/sentences.json';

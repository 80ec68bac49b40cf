export { default as planning } from '../../../locales/en/planning.json';
export { default as geo } from '../../../locales/en/geo.json';

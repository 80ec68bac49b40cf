export { default as planning } from '../../../locales/zh/planning.json';
export { default as geo } from '../../../locales/zh/geo.json';

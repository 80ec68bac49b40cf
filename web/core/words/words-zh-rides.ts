export { default as rides } from '../../../locales/zh/rides.json';
export { default as recurring } from '../../../locales/zh/recurring.json';
export { default as discover } from '../../../locales/zh/discover.json';

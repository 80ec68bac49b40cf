export { default as rides } from '../../../locales/en/rides.json';
export { default as recurring } from '../../../locales/en/recurring.json';
export { default as discover } from '../../../locales/en/discover.json';

export { default as common } from '../../../locales/en/common.json';
export { default as alerts } from '../../../locales/en/alerts.json';
export { default as notifications } from '../../../locales/en/notifications.json';
export { default as about } from '../../../locales/en/about.json';

export { default as common } from '../../../locales/zh/common.json';
export { default as alerts } from '../../../locales/zh/alerts.json';
export { default as notifications } from '../../../locales/zh/notifications.json';
export { default as about } from '../../../locales/zh/about.json';

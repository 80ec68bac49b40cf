export { emailTerms, unsubscribeLinks } from './channel-settings.ts';
export { noteLeft } from './send-notices.ts';
export { openNotifications } from './state.ts';
export { erasure, readNewsBefore } from './store.ts';

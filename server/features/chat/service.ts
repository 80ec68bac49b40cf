export { markRead } from './mark-read.ts';
export { sendMessage } from './send-message.ts';
export { openChat } from './state.ts';
export { erasure, replaceName } from './store.ts';

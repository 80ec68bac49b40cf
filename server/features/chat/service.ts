export { markRead } from './rooms.ts';
export { sendMessage } from './send-message.ts';
export { openChat } from './state.ts';
export { erasure, replaceName } from './store.ts';

export { readyGauge } from './readiness.ts';
export { openSetup } from './setup/open-setup.ts';
export { openOperations } from './state.ts';

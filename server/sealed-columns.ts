import { sealedWebhooks } from './features/connect/service.ts';
import { sealedFactors } from './features/identity/service.ts';
import type { SealedColumn } from './platform/security/reseal.ts';

/** Every column with values that `SEAL_KEYS` encrypt. */
export const sealedColumns: readonly SealedColumn[] = [...sealedFactors, ...sealedWebhooks];

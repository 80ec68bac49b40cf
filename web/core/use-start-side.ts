import { useSyncExternalStore } from 'react';
import { followStartSide, readStartSide, type Side } from './side.ts';

export const useStartSide = (): Side => useSyncExternalStore(followStartSide, readStartSide);

import { useSyncExternalStore } from 'react';
import { followSide, readSide, type Side } from './side.ts';

export const useSide = (): Side => useSyncExternalStore(followSide, readSide);

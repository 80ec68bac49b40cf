import v8 from 'node:v8';
import vm from 'node:vm';

/** Collects all garbage now, so that only what is still used counts as memory. */
export function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  collect();
  collect();
}

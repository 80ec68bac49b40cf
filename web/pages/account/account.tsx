import { Unfinished } from '../../shell/unfinished.tsx';

export function Page() {
  return <Unfinished />;
}

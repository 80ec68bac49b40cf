import { KeptList } from '../../features/legal/kept-list.tsx';
import { LegalDocument } from '../../features/legal/legal-document.tsx';

export function Page() {
  return <LegalDocument name="privacy" list={<KeptList />} />;
}

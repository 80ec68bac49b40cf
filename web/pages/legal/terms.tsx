import { LegalDocument } from '../../features/legal/legal-document.tsx';

export function Page() {
  return <LegalDocument name="teams" />;
}

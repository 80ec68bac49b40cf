import { LegalDocument } from '../../rooms/legal/legal-document.tsx';

export function Page() {
  return <LegalDocument name="carpool" />;
}

import { LegalDocument } from '../../features/legal/legal-document.tsx';
import { TestMoney } from '../../features/payments/test-money.tsx';

export function Page() {
  return <LegalDocument name="payment" note={<TestMoney />} />;
}

import { LegalDocument } from '../../rooms/legal/legal-document.tsx';
import { TestMoney } from '../../rooms/payments/test-money.tsx';

export function Page() {
  return <LegalDocument name="payment" note={<TestMoney />} />;
}

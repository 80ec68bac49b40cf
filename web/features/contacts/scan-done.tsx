import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { scanCode } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { PersonHead } from './person-head.tsx';

/** Whom a scanned code led to. */
export function ScanDone({ result, again }: { result: OutputOf<typeof scanCode>; again?: ReactNode }) {
  const { t } = useTranslation('contacts');
  const { person, relation } = result;
  return (
    <Card className="flex flex-col gap-4 py-6">
      <PersonHead person={person} />
      <output className="flex items-center justify-center gap-2 text-lead text-brand-ink">
        <CircleCheck aria-hidden className="size-6 shrink-0" />
        {t(relation === 'contact' ? 'scan.done' : 'scan.asked', { name: person.name })}
      </output>
      <div className="flex flex-col gap-2">
        <Link to="/pages/contact/user" search={{ id: person.id }} className={buttonVariants({ full: true })}>
          {t('scan.page')}
        </Link>
        {again}
      </div>
    </Card>
  );
}

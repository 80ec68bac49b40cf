import type { ReactNode } from 'react';
import { Card, Section } from '../../ui/surfaces.tsx';

/** A headed part of a plan on its own white surface. */
export function FormPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <Card className="flex flex-col gap-4">{children}</Card>
    </Section>
  );
}

/** A license plate as one reads it on the car. */
export function Plate({ text }: { text: string }) {
  return (
    <span className="figures rounded-small border border-edge bg-surface px-2 py-0.5 text-small font-semibold tracking-wide text-ink">
      {text}
    </span>
  );
}

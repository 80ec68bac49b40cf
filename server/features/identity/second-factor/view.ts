import type { Passkey, ProofWay, SecondFactor } from '#contract/access/second-factor.ts';
import type { Factors, PasskeyRow } from './store.ts';

export const viewPasskey = ({ id, name, isBackedUp, createdAt, usedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  isBackedUp,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

export const viewFactors = (
  { totpSince, passkeys, recoveryCodesLeft }: Factors,
  rest: Pick<SecondFactor, 'isRequired' | 'passkeysFor'>,
): SecondFactor => ({
  totpSince: totpSince?.toISOString() ?? null,
  passkeys: passkeys.map(viewPasskey),
  recoveryCodesLeft,
  ...rest,
});

/** The kinds of second factor that a person can use; empty if they have none. */
export function factorWays({ totpSince, passkeys, recoveryCodesLeft }: Factors): ProofWay[] {
  const ways: ProofWay[] = [];
  if (passkeys.length > 0) ways.push('passkey');
  if (totpSince !== null) ways.push('totp');
  if (ways.length > 0 && recoveryCodesLeft > 0) ways.push('recovery');
  return ways;
}

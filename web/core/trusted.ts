/**
 * Creates a Trusted Types policy, which turns text into script addresses or HTML; undefined if the browser
 * does not support them. The server's content policy lists the allowed names
 * (server/platform/http/content-policy.ts), and each can be created once.
 */
export const trustedTypesPolicy = (name: string, rules: Rules): Rules | undefined =>
  (globalThis as { trustedTypes?: Browser }).trustedTypes?.createPolicy(name, rules);

type Rules = Partial<Record<'createHTML' | 'createScriptURL', (text: string) => string>>;
interface Browser {
  createPolicy: (name: string, rules: Rules) => Rules;
}

const scripts = trustedTypesPolicy('sameway-scripts', {
  createScriptURL: (address) => {
    if (/^\/(sw\.js$|assets\/|node_modules\/)/.test(address)) return address;
    throw new TypeError(address);
  },
});

/** The address of one of the app's scripts, as a trusted type for a worker. */
export const trustedScript = (address: string): string => scripts?.createScriptURL?.(address) ?? address;

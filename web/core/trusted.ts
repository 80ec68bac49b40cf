/**
 * What makes a text that browsers take as an address of a script, or as HTML, where they check trusted types;
 * null where they do not. The server's policy lists the names (server/platform/http/content-policy.ts): no
 * other can be made, and each once.
 */
export const makerOf = (name: string, rules: Rules): Rules | undefined =>
  (globalThis as { trustedTypes?: Browser }).trustedTypes?.createPolicy(name, rules);

type Rules = Partial<Record<'createHTML' | 'createScriptURL', (text: string) => string>>;
interface Browser {
  createPolicy: (name: string, rules: Rules) => Rules;
}

const scripts = makerOf('sameway-scripts', {
  createScriptURL: (address) => {
    if (/^\/(sw\.js$|assets\/|node_modules\/)/.test(address)) return address;
    throw new TypeError(address);
  },
});

/** The address of a script of the app as a browser takes it for a worker: no text where it checks types. */
export const trustedScript = (address: string): string => scripts?.createScriptURL?.(address) ?? address;

import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for argon2id, the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Whether the password is the one behind the hash. */
export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);

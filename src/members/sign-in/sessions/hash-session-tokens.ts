import type { BetterAuthPlugin, DBTransactionAdapter, Where } from 'better-auth';
import { sha256 } from '../../../platform/secrets/crypto.ts';

/**
 * Creates a plugin of better-auth that stores the SHA-256 of session tokens instead of the tokens,
 * so that the database or a backup of it contains no usable session.
 */
export function hashSessionTokens(): BetterAuthPlugin {
  return {
    id: 'hash-session-tokens',
    init: ({ adapter }) => ({
      context: {
        adapter: {
          ...adapter,
          ...hashing(adapter),
          transaction: <Result>(work: (within: DBTransactionAdapter) => Promise<Result>) =>
            adapter.transaction((within) => work({ ...within, ...hashing(within) })),
        },
      },
    }),
  };
}

type Row = Record<string, unknown>;
type Query = { model: string; where?: Where[] | undefined };

/**
 * Wraps the methods that take or return session tokens, so that their callers see the plain tokens.
 */
function hashing(adapter: DBTransactionAdapter): Partial<DBTransactionAdapter> {
  const methods = {
    async create(given: { model: string; data: Row }) {
      const { token } = given.data;
      if (given.model !== 'session' || typeof token !== 'string') return adapter.create(given);
      const created = await adapter.create({
        ...given,
        data: { ...given.data, token: hash(token) },
      });
      return { ...created, token };
    },
    findOne: async (given: Query & { where: Where[] }) =>
      withToken(given, await adapter.findOne<Row>(hashed(given))),
    update: async (given: Query & { where: Where[]; update: Row }) =>
      withToken(given, await adapter.update<Row>(hashed(given))),
    findMany: (given: Query) => adapter.findMany(hashed(given)),
    updateMany: (given: Query & { where: Where[]; update: Row }) =>
      adapter.updateMany(hashed(given)),
    delete: (given: Query & { where: Where[] }) => adapter.delete(hashed(given)),
    deleteMany: (given: Query & { where: Where[] }) => adapter.deleteMany(hashed(given)),
  };
  return methods as Partial<DBTransactionAdapter>;
}

function hashed<Given extends Query>(given: Given): Given {
  if (given.model !== 'session' || !given.where) return given;
  const where = given.where.map((term) =>
    term.field === 'token' ? { ...term, value: hashEach(term.value) } : term,
  );
  return { ...given, where };
}

/** Returns the row with the plain token by which it was found. */
function withToken({ model, where }: Query, row: Row | null): Row | null {
  const token = where?.find(({ field }) => field === 'token')?.value;
  return row && model === 'session' && typeof token === 'string' ? { ...row, token } : row;
}

function hashEach(value: Where['value']): Where['value'] {
  if (Array.isArray(value)) return value.map((each) => hash(String(each)));
  return typeof value === 'string' ? hash(value) : value;
}

function hash(token: string): string {
  return sha256(token).toString('hex');
}

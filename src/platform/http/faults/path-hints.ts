import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { fault } from '../../errors/fault.ts';

/**
 * A path of the API, such as `/api/:tenant/contacts/:id`, and its methods. A wildcard at the end, for one or
 * more segments, has its name after the `*`.
 */
type KnownPath = { segments: string[]; methods: Set<string> };

const tenantPrefix = ['api', ':tenant'];
const maxTypos = 2;
/** The names in our paths are shorter. Longer segments are not compared. */
const maxCompared = 40;

/**
 * Creates a function that explains a 404 for an unknown path or method of the API: it names the path's
 * methods, or the path that was probably meant. It knows the routes that are added after this call.
 *
 * @returns undefined if no path is similar
 */
export function createPathHints(
  app: FastifyInstance,
): (method: string, url: string) => ApiError | undefined {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!url.startsWith('/api/')) return;
    const segments = segmentsOf(url.replace(/\*$/, `*${config?.wildcard ?? ''}`));
    const path = known.get(url) ?? { segments, methods: new Set() };
    for (const each of [method].flat()) path.methods.add(each);
    known.set(url, path);
  });
  let paths: KnownPath[] | undefined;
  return (method, url) => {
    const segments = segmentsOf(url);
    if (segments[0] !== 'api' || segments[1] === 'v1') return undefined;
    // Static names come before parameters, as in the router.
    paths ??= [...known].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, path]) => path);
    const matching = paths.filter((path) => distance(path.segments, segments) === 0);
    if (matching.length > 0) return wrongMethod(matching, method);
    const meant = findMeant(paths, segments);
    if (!meant) return undefined;
    const path = meant.map((segment) => segment.replace(/^[:*](.*)/, '{$1}')).join('/');
    return new ApiError('not_found', {
      message: fault('similar_path', 'Not found. Did you mean /{path}?', { path }),
    });
  };
}

function segmentsOf(url: string): string[] {
  const [path = ''] = url.split('?');
  return path.split('/').slice(1);
}

/**
 * @param matching matching paths, the one with the most static names first: `messages/send` also matches
 *   `messages/*`
 */
function wrongMethod(matching: KnownPath[], method: string): ApiError {
  const [, scope] = matching[0]!.segments;
  const inScope = matching.filter(({ segments }) => segments[1] === scope);
  const allowed = [...new Set(inScope.flatMap(({ methods }) => [...methods]))].sort();
  return new ApiError('not_found', {
    message: fault(
      'wrong_method',
      'Not found. This path does not take {method}; it takes {allowed}.',
      { method, allowed: new Intl.ListFormat('en-GB').format(allowed) },
    ),
    headers: { allow: allowed.join(', ') },
  });
}

/** Finds the most similar path of a tenant. */
function findMeant(paths: KnownPath[], requested: string[]): string[] | undefined {
  const ofTenant = paths.filter(({ segments }) => segments[1] === ':tenant');
  const nearest = nearestOf(ofTenant, requested, maxTypos);
  if (nearest) return nearest;
  // The client left out the tenant, or added a version.
  const rest = requested.slice(requested[1] === 'v2' ? 3 : 1);
  return nearestOf(ofTenant, [...tenantPrefix, ...rest], 0);
}

function nearestOf(
  paths: KnownPath[],
  requested: string[],
  maxDistance: number,
): string[] | undefined {
  const distances = paths.map(({ segments }) => distance(segments, requested, true));
  const minDistance = Math.min(...distances);
  return minDistance <= maxDistance ? paths[distances.indexOf(minDistance)]!.segments : undefined;
}

/** The number of characters in which the names differ. Nothing matches an empty segment. */
function distance(known: string[], requested: string[], isLenient = false): number {
  const isOpen = known.at(-1)!.startsWith('*') && requested.length > known.length;
  const hasLength = isOpen || known.length === requested.length;
  if (!hasLength || requested.includes('')) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const [index, name] of known.entries()) {
    const segment = requested[index]!;
    if (/^[:*]/.test(name) || segment === name) continue;
    if (!isLenient) return Number.POSITIVE_INFINITY;
    sum += typos(name, segment.toLowerCase());
  }
  return sum;
}

/** The Levenshtein distance of two names; infinite if it is half of the name or more. */
function typos(name: string, segment: string): number {
  if (segment.length > maxCompared) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: segment.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...name].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= segment.length; at++) {
      const replaced = row[at - 1]! + (letter === segment[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  const edits = row.at(-1)!;
  return edits * 2 < name.length ? edits : Number.POSITIVE_INFINITY;
}

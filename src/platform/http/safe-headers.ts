/** Headers of every response. Routes whose responses may be cached set their own `cache-control`. */
export const safeHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

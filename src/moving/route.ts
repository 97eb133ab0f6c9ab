import type pg from 'pg';

/** The connections of a copy, and the tenant's id on each side. */
export type Route = { source: pg.Client; target: pg.Client; from: number; to: number };

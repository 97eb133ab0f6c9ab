import type { Column, Constraint, Relation, Schema } from './describe-schema.ts';

/**
 * Names what a program written for the schema `before` would miss, or could no longer write, on the schema `after`.
 * Changes inside functions are not compared. The tests of the last release find those (`npm run check:last-release`).
 */
export function findBroken(before: Schema, after: Schema): string[] {
  const broken: string[] = [];
  for (const [name, relation] of before.relations) {
    const left = after.relations.get(name);
    if (left) broken.push(...findBrokenIn(relation, left).map((what) => `${name}: ${what}`));
    else broken.push(`${name} was removed`);
  }
  for (const [signature, result] of before.functions) {
    const now = after.functions.get(signature);
    if (now === undefined) broken.push(`${signature} was removed`);
    else if (now !== result) broken.push(`${signature} returns ${now}, not ${result}`);
  }
  const removed = before.enumValues.filter((value) => !after.enumValues.includes(value));
  return [...broken, ...removed.map((value) => `${value} was removed`)];
}

function findBrokenIn(before: Relation, after: Relation): string[] {
  const broken: string[] = [];
  for (const [name, column] of before.columns) {
    const left = after.columns.get(name);
    if (!left) broken.push(`column ${name} was removed`);
    else broken.push(...compareColumn(column, left).map((what) => `column ${name} ${what}`));
  }
  for (const [name, { required, filled }] of after.columns) {
    if (!before.columns.has(name) && required && !filled) {
      broken.push(`new column ${name} is required and has no default`);
    }
  }
  const isIn = ({ definition }: Constraint, { constraints }: Relation) =>
    constraints.some((other) => other.definition === definition);
  for (const constraint of after.constraints) {
    if (!isIn(constraint, before) && !isIdle(constraint, before, after)) {
      broken.push(`new constraint ${constraint.definition}`);
    }
  }
  for (const constraint of before.constraints) {
    // An insert names it as what to do on conflict.
    if (constraint.is_unique && !isIn(constraint, after)) {
      broken.push(`${constraint.definition} was removed`);
    }
  }
  const triggers = before.triggers.filter((name) => !after.triggers.includes(name));
  return [...broken, ...triggers.map((name) => `trigger ${name} was removed`)];
}

function compareColumn(before: Column, after: Column): string[] {
  const changes: string[] = [];
  if (after.type !== before.type) changes.push(`is ${after.type}, not ${before.type}`);
  if (after.required && !before.required) changes.push('is required');
  if (before.filled && !after.filled) changes.push('has no default any more');
  return changes;
}

/** Whether an older program cannot violate a constraint: its new columns have their defaults. */
function isIdle({ columns, is_unique }: Constraint, before: Relation, after: Relation): boolean {
  const added = columns.filter((name) => !before.columns.has(name));
  // A constraint with a null is fulfilled, and so is a check of constants.
  const isNull = added.some((name) => !after.columns.get(name)!.filled);
  return isNull || (added.length === columns.length && !is_unique);
}

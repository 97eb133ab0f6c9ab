/** Builds the body of a successful response, which has `success: true` beside its other fields. */
export function success<Fields extends object>(fields: Fields): { success: true } & Fields {
  return { success: true, ...fields };
}

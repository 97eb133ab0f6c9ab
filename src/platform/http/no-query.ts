import { Type } from 'typebox';

/** The query of a list that takes no parameters. */
export const NoQuery = Type.Object({}, { additionalProperties: false });

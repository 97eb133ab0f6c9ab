import { ApiError, notFound } from './api-error.ts';

/**
 * Creates the 404 for an unknown path. It tells callers of version 1 that it has ended, and callers with a
 * slash too many, as when two parts are joined, what is wrong.
 */
export function noSuchPath(url: string): ApiError {
  if (/^\/api\/v1(?![^/?])/.test(url)) {
    return new ApiError('not_found', {
      message: 'Version 1 of the API is no longer supported. Use /api/{tenant}/..., version 2.',
    });
  }
  return /^\/api\/([^?]*\/)?(\/|\?|$)/.test(url) ? slashTooMany() : notFound();
}

/** Creates the 404 for a path with an empty segment. */
export function slashTooMany(): ApiError {
  return new ApiError('not_found', {
    message: 'Not found. Remove the slash at the end of the path, or the doubled slash in it.',
  });
}

import { ApiError, notFound } from './api-error.ts';
import { fault } from './fault.ts';

/**
 * Creates the 404 for an unknown path, with a message of its own for version 1 and for an empty segment, which
 * often comes from joining two parts that both have a slash.
 */
export function noSuchPath(url: string): ApiError {
  if (/^\/api\/v1(?![^/?])/.test(url)) {
    return new ApiError('not_found', {
      message: fault(
        'version_1',
        'Version 1 of the API is no longer supported. Use /api/{tenant}/..., version 2.',
        { tenant: '{tenant}' },
      ),
    });
  }
  return /^\/api\/([^?]*\/)?(\/|\?|$)/.test(url) ? emptySegment() : notFound();
}

/** Creates the 404 for a path with an empty segment. */
export function emptySegment(): ApiError {
  return new ApiError('not_found', {
    message: fault(
      'empty_segment',
      'Not found. Remove the slash at the end of the path, or the doubled slash in it.',
    ),
  });
}

/** How many requests a client may send on one connection before it has their responses. */
export const maxPending = 32;

/**
 * The maximum length of the headers of a request. Less than a TLS record, so that a request line of HTTP/1.1
 * with too long headers arrives in one piece, in which `respondUnreadable` can recognise a HEAD.
 */
export const maxHeaderBytes = 15 * 1024;

/** Real clients send less than a tenth of it. Node drops headers beyond this number silently. */
export const maxHeaders = 200;

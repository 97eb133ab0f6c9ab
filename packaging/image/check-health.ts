import { request } from 'node:https';

// Docker's check of a container: whether it can serve. Its certificate is for another name.
request(
  {
    host: '127.0.0.1',
    port: process.env.PARLEY_PORT || 8443,
    path: '/readyz',
    rejectUnauthorized: false,
  },
  ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1),
)
  .on('error', () => process.exit(1))
  .end();

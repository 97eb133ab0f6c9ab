import * as parse from './parse-setting.ts';
import { setting } from './setting.ts';

export const mediaSettings = {
  mediaQuotaMegabytes: setting(
    'PARLEY_MEDIA_QUOTA_MB',
    '5000',
    'How many MB of inbound files are kept for one tenant, if it wants them kept. Beyond that, new files wait until older ones are removed, or WhatsApp forgets them.',
    parse.wholeNumber(1, 100_000_000),
  ),
  mediaMinFreeMegabytes: setting(
    'PARLEY_MEDIA_MIN_FREE_MB',
    '1000',
    'Free space of the disk of the data folder, in MB, below which no inbound file is kept.',
    parse.wholeNumber(0, 100_000_000),
  ),
  mediaBucket: setting(
    'PARLEY_MEDIA_BUCKET',
    '',
    'Address of an S3-compatible bucket for inbound files that are kept, such as https://s3.eu-central-1.amazonaws.com/my-files; the data folder if empty.',
    parse.urlOrNone,
  ),
  mediaBucketRegion: setting(
    'PARLEY_MEDIA_BUCKET_REGION',
    'us-east-1',
    'Region of the bucket, which is part of the signature of requests.',
    parse.text,
  ),
  mediaBucketKeyId: setting(
    'PARLEY_MEDIA_BUCKET_KEY_ID',
    '',
    'Access key of the bucket. It needs the rights to get, put and delete objects.',
    parse.text,
  ),
  mediaBucketSecret: setting(
    'PARLEY_MEDIA_BUCKET_SECRET',
    '',
    'Secret of that access key.',
    parse.text,
  ),
};

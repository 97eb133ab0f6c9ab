import type { MediaKind } from '../../../media/media-kinds.ts';
import {
  allFaults,
  type Faults,
  type FieldErrors,
  hasFaults,
} from '../../../platform/errors/api-error.ts';
import { fillTemplate } from '../../../templates/fill-template.ts';
import type { FoundTemplate } from '../../../templates/find-sendable-template.ts';
import type { FillableTemplate } from '../../../templates/read-slots.ts';
import {
  faultsInAnyTemplate,
  mediaHeader,
  type TemplateValues,
} from '../../../templates/value-faults.ts';
import { addressOf, type MediaCheck } from '../media/check-media.ts';
import { bothFaults, type SentUpload, uploadProblem } from '../media/find-sent-upload.ts';
import type { MessageContent } from '../send-message.ts';

/** Checks the file of a header for the tenant that sends it. */
export type HeaderChecker = (url: string, kind: MediaKind) => Promise<MediaCheck>;

/** The values of a send. The file of the header is at a URL, or was uploaded. */
type GivenValues = Omit<TemplateValues, 'headerMediaId'> & {
  headerUpload?: SentUpload | undefined;
};

/**
 * Puts values into a template and checks the file of its header.
 *
 * @returns the filled template, or all faults of the template's name, its values and its file
 */
export async function readyTemplate(
  found: FoundTemplate,
  { fields, headerUpload, ...given }: GivenValues,
  checkHeader: HeaderChecker,
): Promise<{ ready: MessageContent } | { faults: Faults }> {
  const headerMediaUrl = given.headerMediaUrl && addressOf(given.headerMediaUrl);
  const headerMediaId =
    headerUpload &&
    ('upload' in headerUpload ? headerUpload.upload.network_id : headerUpload.mediaId);
  const versions = 'template' in found ? [found.template] : found.versions;
  const uploadName =
    headerUpload && 'upload' in headerUpload ? headerUpload.upload.filename : undefined;
  const results = versions.map((each) => {
    const ofUpload = mediaHeader(each) === 'document' ? uploadName : undefined;
    const headerFilename = given.headerFilename || ofUpload || undefined;
    const { cutToFit } = given;
    return fillTemplate(each, { fields, headerMediaUrl, headerMediaId, headerFilename, cutToFit });
  });
  const ofVersions = results.map((result) => ('errors' in result ? result.errors : {}));
  const faults = allFaults(
    ...('faults' in found ? [found.faults] : []),
    {
      errors: versions.length > 0 ? shared(ofVersions) : faultsInAnyTemplate(fields),
      passing: false,
    },
    {
      errors: bothFaults({ mediaUrl: headerMediaUrl, mediaId: headerMediaId }, 'header_'),
      passing: false,
    },
    await fileFaults(versions, headerMediaUrl, checkHeader),
    uploadFaults(versions, headerUpload),
  );
  const [result] = results;
  if (hasFaults(faults) || !('template' in found) || !result || !('filled' in result))
    return { faults };
  const { name, language, category } = found.template;
  const { parts, shown } = result.filled;
  const template = { name, language: { code: language }, components: parts };
  return {
    ready: {
      kind: 'template',
      ...(headerUpload && { fileField: 'header_media_id' }),
      content: { type: 'template', template },
      category,
      storedContent: shown,
    },
  };
}

/** The fields that are at fault in every version of a template, whichever of them was meant. */
function shared([first = {}, ...others]: FieldErrors[]): FieldErrors {
  const entries = Object.entries(first).filter(([field]) =>
    others.every((errors) => Object.hasOwn(errors, field)),
  );
  return Object.fromEntries(entries);
}

/** The file is checked if all versions of the template show the same kind of file. */
function kindOfHeader(versions: FillableTemplate[]): MediaKind | undefined {
  const kinds = new Set(versions.map(mediaHeader));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

function uploadFaults(versions: FillableTemplate[], upload: SentUpload | undefined): Faults {
  const kind = kindOfHeader(versions);
  const problem =
    upload && ('problem' in upload ? upload.problem : kind && uploadProblem(upload, kind));
  return { errors: problem ? { header_media_id: [problem] } : {}, passing: !problem };
}

async function fileFaults(
  versions: FillableTemplate[],
  url: string | undefined,
  checkHeader: HeaderChecker,
): Promise<Faults> {
  const kind = kindOfHeader(versions);
  if (!url || !kind) return { errors: {}, passing: true };
  const checked = await checkHeader(url, kind);
  if ('media' in checked) return { errors: {}, passing: true };
  return { errors: { header_media_url: [checked.problem] }, passing: checked.passing ?? false };
}

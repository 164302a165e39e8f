// The filters of the list of files, as they are in the query string.
import { oneOf, ulidIn } from '../../search-params.ts';

export type FileSearch = {
  owner_uid?: string | undefined;
  visibility?: 'private' | 'public' | undefined;
};

export function fileSearch(search: Record<string, unknown>): FileSearch {
  return {
    owner_uid: ulidIn(search.owner_uid),
    visibility: oneOf(['private', 'public'], search.visibility),
  };
}

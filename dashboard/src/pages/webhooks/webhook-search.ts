// The filters of the webhook pages, as they are in the query string.
import { type EventType, eventTypes } from '@foyer/contract';
import { dayIn, oneOf, ulidIn } from '../../search-params.ts';

export type WebhooksSearch = {
  tab?: 'events' | undefined;
  type?: EventType | undefined;
  uid?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
};

export function webhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  return {
    tab: oneOf(['events'], search.tab),
    type: oneOf(eventTypes, search.type),
    uid: ulidIn(search.uid),
    created_after: dayIn(search.created_after),
    created_before: dayIn(search.created_before),
  };
}

export type DeliverySearch = {
  tab?: 'settings' | undefined;
  status?: 'pending' | 'succeeded' | 'failed' | undefined;
};

export function deliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    tab: oneOf(['settings'], search.tab),
    status: oneOf(['pending', 'succeeded', 'failed'], search.status),
  };
}

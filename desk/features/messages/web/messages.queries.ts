import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import {
  listMessages,
  type MessageList,
  messageLists,
  readDomains,
  type MessageTopic,
  messageTopics,
} from '../messages.contract.ts'

export type MessagesFilter = { of: MessageList; to: string | null; about: MessageTopic | null; before: string | null }

export function messagesFilterFromUrl(search: string): MessagesFilter {
  const params = new URLSearchParams(search)
  return {
    of: messageLists.find((each) => each === params.get('of')) ?? 'refused',
    to: params.get('to')?.trim().toLowerCase() || null,
    about: messageTopics.find((each) => each === params.get('about')) ?? null,
    before: params.get('before') || null,
  }
}

export const toQuery = (filter: Partial<MessagesFilter>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).filter(
      (entry): entry is [string, string] => Boolean(entry[1]) && !(entry[0] === 'of' && entry[1] === 'refused'),
    ),
  )

export function messagesPath(filter: Partial<MessagesFilter>): string {
  const query = new URLSearchParams(toQuery(filter))
  return query.size > 0 ? `/messages/?${query}` : '/messages/'
}

export const messagesQuery = (api: Api, filter: MessagesFilter) =>
  queryOptions({
    queryKey: ['messages', filter.of, filter.to, filter.about, filter.before],
    queryFn: async () => (await api.call(listMessages, { query: toQuery(filter) })).data,
  })

export const domainsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['message-domains'],
    queryFn: async () => (await api.call(readDomains, {})).data,
  })

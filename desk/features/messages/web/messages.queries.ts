import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import {
  listMessages,
  type MessageList,
  messageLists,
  readDomains,
  type Subject,
  subjects,
} from '../messages.contract.ts'

export type MessagesWish = { of: MessageList; to: string | null; about: Subject | null; before: string | null }

export function wishIn(search: string): MessagesWish {
  const said = new URLSearchParams(search)
  return {
    of: messageLists.find((each) => each === said.get('of')) ?? 'refused',
    to: said.get('to')?.trim().toLowerCase() || null,
    about: subjects.find((each) => each === said.get('about')) ?? null,
    before: said.get('before') || null,
  }
}

export const queryOf = (wish: Partial<MessagesWish>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wish).filter(
      (entry): entry is [string, string] => Boolean(entry[1]) && !(entry[0] === 'of' && entry[1] === 'refused'),
    ),
  )

export function messagesPath(wish: Partial<MessagesWish>): string {
  const query = new URLSearchParams(queryOf(wish))
  return query.size > 0 ? `/messages/?${query}` : '/messages/'
}

export const messagesQuery = (api: Api, wish: MessagesWish) =>
  queryOptions({
    queryKey: ['messages', wish.of, wish.to, wish.about, wish.before],
    queryFn: async () => (await api.call(listMessages, { query: queryOf(wish) })).data,
  })

export const domainsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['message-domains'],
    queryFn: async () => (await api.call(readDomains, {})).data,
  })

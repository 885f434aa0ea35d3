import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readUsageSummary } from '../usage.contract.ts'
import { type Queue, queueOf } from './queue.ts'

/** Behind each answer is a question to the mobile network, so a long list of services asks in turn. */
const atATime = 4

// One for each visitor: the API that they reach everything through.
const queues = new WeakMap<Api, Queue>()

function queueFor(api: Api): Queue {
  const queue = queues.get(api) ?? queueOf(atATime)
  queues.set(api, queue)
  return queue
}

/**
 * What is left of a service's plan and add-ons. Never part of a page's needs: no page waits for the network. A page may come with what
 * was known before.
 */
export const usageSummaryQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['usage-summary', uuid],
    queryFn: () => queueFor(api)(async () => (await api.call(readUsageSummary, { params: { uuid } })).data),
  })

/** Something has changed it. Where it was not asked for yet, the page that needs it asks anyway. */
export async function reloadSummary(api: Api, client: QueryClient, uuid: string): Promise<void> {
  const query = usageSummaryQuery(api, uuid)
  const { queryKey } = query
  if (client.getQueryState(queryKey).updates > 0 || client.isFetching(queryKey)) await client.refetchQuery(query)
}

import type { Api } from '#kit/contract/endpoint.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { readUsageSummary } from '../usage.contract.ts'
import { type Queue, createQueue } from './create-queue.ts'

/**
 * The maximum number of concurrent usage requests. Each one makes the server query the mobile network, so a long list
 * of services loads gradually.
 */
const maxConcurrentReads = 4

// Each `Api`, and therefore each visitor, has a separate queue.
const queues = new WeakMap<Api, Queue>()

function getQueue(api: Api): Queue {
  const queue = queues.get(api) ?? createQueue(maxConcurrentReads)
  queues.set(api, queue)
  return queue
}

/**
 * Queries a service's usage. This query is never part of a page's loader, because no page waits for the network. The
 * page may include earlier data.
 */
export const usageSummaryQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['usage-summary', uuid],
    queryFn: () => getQueue(api)(async () => (await api.call(readUsageSummary, { params: { uuid } })).data),
  })

export async function reloadUsageSummary(api: Api, client: QueryClient, uuid: string): Promise<void> {
  const query = usageSummaryQuery(api, uuid)
  const { queryKey } = query
  if (client.getQueryState(queryKey).updates > 0 || client.isFetching(queryKey)) await client.refetchQuery(query)
}

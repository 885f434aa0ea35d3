import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
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

/** What is left of a service's plan and add-ons. Never part of a page's needs: no page waits for the network. */
export const usageSummaryQuery = (api: Api, uuid: string) =>
  queryOptions({
    queryKey: ['usage-summary', uuid],
    queryFn: () => queueFor(api)(async () => (await api.call(readUsageSummary, { params: { uuid } })).data),
  })

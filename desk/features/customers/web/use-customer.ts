import { useApi } from '#kit/web/api.tsx'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { happenedChips } from '../happened.contract.ts'
import { customerQuery, happenedQuery } from './customers.queries.ts'

/** How the page of a customer acts: every act brings it up to date, and where too much time has gone by it asks why again. */
export function useCustomer(id: string) {
  const api = useApi()
  const client = useQueryClient()

  async function refresh(): Promise<void> {
    const known = happenedChips.filter((of) => client.getQueryState(['happened', id, of]).updates > 0)
    await Promise.all([
      client.refetchQuery(customerQuery(api, id)),
      ...known.map((of) => client.refetchQuery(happenedQuery(api, id, of))),
    ])
  }

  /** Makes a call about the customer. @throws ApiError */
  async function call<T>(make: (api: Api) => Promise<{ data: T }>): Promise<T> {
    try {
      return (await make(api)).data
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) void client.refetchQuery(customerQuery(api, id))
      throw error
    }
  }
  return { refresh, call }
}

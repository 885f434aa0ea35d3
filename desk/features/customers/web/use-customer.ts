import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { historyFilters } from '../customer-history.contract.ts'
import { customerQuery, historyQuery } from './customers.queries.ts'
import { useCustomerRequest } from './use-customer-request.ts'

export function useCustomer(id: string) {
  const api = useApi()
  const client = useQueryClient()
  const call = useCustomerRequest(customerQuery(api, id))

  async function refresh(): Promise<void> {
    const known = historyFilters.filter((of) => client.getQueryState(['happened', id, of]).updates > 0)
    await Promise.all([
      client.refetchQuery(customerQuery(api, id)),
      ...known.map((of) => client.refetchQuery(historyQuery(api, id, of))),
    ])
  }
  return { refresh, call }
}

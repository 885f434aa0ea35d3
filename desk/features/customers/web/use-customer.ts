import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { happenedChips } from '../happened.contract.ts'
import { customerQuery, happenedQuery } from './customers.queries.ts'
import { useCallAbout } from './use-call-about.ts'

export function useCustomer(id: string) {
  const api = useApi()
  const client = useQueryClient()
  const call = useCallAbout(customerQuery(api, id))

  async function refresh(): Promise<void> {
    const known = happenedChips.filter((of) => client.getQueryState(['happened', id, of]).updates > 0)
    await Promise.all([
      client.refetchQuery(customerQuery(api, id)),
      ...known.map((of) => client.refetchQuery(happenedQuery(api, id, of))),
    ])
  }
  return { refresh, call }
}

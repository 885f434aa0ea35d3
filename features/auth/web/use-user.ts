import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import type { User } from '../auth.contract.ts'
import { accountQuery } from './account.queries.ts'

export function useUser(): User | null {
  return useQuery(accountQuery(useApi())).data?.user ?? null
}

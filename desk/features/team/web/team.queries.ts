import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readTeam } from '../team.contract.ts'

export const teamQuery = (api: Api) =>
  queryOptions({
    queryKey: ['team'],
    queryFn: async () => (await api.call(readTeam, {})).data.people,
  })

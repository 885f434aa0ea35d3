import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readChangeEmail } from '../change-email.contract.ts'

export const changeEmailQuery = (api: Api) =>
  queryOptions({ queryKey: ['change-email'], queryFn: async () => (await api.call(readChangeEmail, {})).data })

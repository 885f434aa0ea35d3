import { useApi } from '#kit/web/api.tsx'
import { ApiError } from '#kit/contract/errors.ts'
import type { SendApiRequest } from '#kit/web/desk/send-api-request.ts'
import type { Query } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'

/**
 * Sends API requests about the customer whose page is open. A 403 means that the staff member's access to the record
 * has expired, so the page reloads and asks for a reason again.
 */
export function useCustomerRequest(page: Query): SendApiRequest {
  const api = useApi()
  const client = useQueryClient()
  return async (make) => {
    try {
      return (await make(api)).data
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) void client.refetchQuery(page)
      throw error
    }
  }
}

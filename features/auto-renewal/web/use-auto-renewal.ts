import { useApi } from '#kit/web/api.tsx'
import { type MutationResult, useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import { updateCachedService } from '#features/services/web/services.queries.ts'
import { disableAutoRenewal, enableAutoRenewal } from '../auto-renewal.contract.ts'

export function useAutoRenewal(
  change: 'enable' | 'disable',
  { service: uuid, short_id }: Schedule,
  onSuccess: () => void,
): MutationResult {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      api.call(change === 'enable' ? enableAutoRenewal : disableAutoRenewal, {
        params: { uuid, scheduleId: short_id },
      }),
    onSuccess({ data }) {
      updateCachedService(client, uuid, data)
      onSuccess()
    },
  })
}

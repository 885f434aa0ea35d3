import { useApi } from '#kit/web/api.tsx'
import { type MutationResult, useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { disableAutoRenew, enableAutoRenew } from '../auto-renew.contract.ts'
import type { Schedule, Service } from '../services.contract.ts'
import { changeService } from './services.queries.ts'

/** The plan that a service is on. */
export const scheduleOf = ({ schedules, plan_short_id }: Service): Schedule | undefined =>
  schedules[plan_short_id] ?? Object.values(schedules)[0]

/** Switches a plan's auto-renewal on or off; the answer is the service as it is from then on. */
export function useAutoRenew(
  change: 'enable' | 'disable',
  { service: uuid, short_id }: Schedule,
  onSuccess: () => void,
): MutationResult {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      api.call(change === 'enable' ? enableAutoRenew : disableAutoRenew, { params: { uuid, scheduleId: short_id } }),
    onSuccess({ data }) {
      changeService(client, uuid, data)
      onSuccess()
    },
  })
}

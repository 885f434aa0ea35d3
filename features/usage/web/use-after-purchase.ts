import { useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { reloadAccount } from '#features/auth/web/account.queries.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import { reloadSummary } from './usage.queries.ts'

/**
 * What this tab knows of a customer is from before a purchase: their services, what is left of them, and the saved card, which
 * may be another now. Asked on the page that says so, so that the one with the form is not changed while it is being left.
 * @param uuid of the service that something was bought for; undefined asks nothing
 */
export function useAfterPurchase(uuid: string | undefined): void {
  const api = useApi()
  const client = useQueryClient()
  const reload = useEffectEvent((service: string) => {
    void reloadServices(api, client)
    void reloadAccount(api, client)
    void reloadSummary(api, client, service)
  })
  useEffect(() => {
    if (uuid !== undefined) reload(uuid)
  }, [uuid])
}

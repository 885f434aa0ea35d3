import { useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { reloadAccount } from '#features/auth/web/account.queries.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import { reloadUsageSummary } from './usage.queries.ts'

/**
 * Reloads the data that a purchase may have changed: the services, their balances, and the saved card. The reload
 * happens on the success page, so that the form's page does not change while the customer is leaving it.
 * @param uuid the service of the purchase; `undefined` reloads nothing
 */
export function useReloadAfterPurchase(uuid: string | undefined): void {
  const api = useApi()
  const client = useQueryClient()
  const reloadUsage = useEffectEvent((service: string) => {
    void reloadServices(api, client)
    void reloadAccount(api, client)
    void reloadUsageSummary(api, client, service)
  })
  useEffect(() => {
    if (uuid !== undefined) reloadUsage(uuid)
  }, [uuid])
}

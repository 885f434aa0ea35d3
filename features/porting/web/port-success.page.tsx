import { useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { AutoRenewalOffNotice } from '#features/services/web/AutoRenewalOffNotice.tsx'
import { reloadServices, servicesQuery, servicesUnavailableMessage } from '#features/services/web/services.queries.ts'
import { clearTransferRequestedMark, isTransferUnderWay, lastPortQuery } from './porting.queries.ts'
import { TransferSteps } from './TransferSteps.tsx'
import * as s from './port.module.css'

export default function PortSuccessPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const { market } = useBootstrap()
  const { data: services, error, refetch } = useQuery(servicesQuery(useApi()))
  useStatusReload(uuid)
  const isSubmitted = isTransferUnderWay(useQueryClient(), uuid)
  if (services && !services[uuid]) return <NotFoundScreen />
  if (isSubmitted === null && error)
    return <Unavailable what={servicesUnavailableMessage} error={error} onRetry={() => void refetch()} />
  if (!isSubmitted) return <LoadingScreen />
  return (
    <div className={s.success}>
      <div className={s.top}>
        <FanProgress part={1} />
        <h1>Number Transfer Request Submitted</h1>
        <p className={s.lead}>You will receive an email confirmation upon success of your Number Transfer Request.</p>
      </div>
      <Card>
        <p className={s.next}>
          <Icon name="sim" />
          <span>
            {
              {
                NZ: 'Keep your old SIM in your phone until a text asks you to confirm the transfer. Reply ‘Yes’ within 2 hours,',
                AU: 'Keep your old SIM in your phone until a text with a code arrives on it. Enter it here within 2 hours,',
              }[market.code]
            }{' '}
            then insert your new SIM.
          </span>
        </p>
      </Card>
      <NextSteps service={services?.[uuid]} />
      <AutoRenewalOffNotice uuid={uuid} />
      <Button href="/">Back to Dashboard</Button>
    </div>
  )
}

function NextSteps({ service }: { service: Service | undefined }) {
  const port = service?.porting_request
  if (!service || !port?.progress) return null
  return (
    <Card>
      <TransferSteps port={port} progress={port.progress} own={service.phone_number} />
    </Card>
  )
}

/**
 * Reloads the services so that they include the new transfer, and clears the previous transfer's details. This happens
 * on the success page rather than on submit, so that the form's page does not change while the customer is leaving it.
 */
function useStatusReload(uuid: string): void {
  const api = useApi()
  const client = useQueryClient()
  const reloadPort = useEffectEvent(async () => {
    client.setQueryData(lastPortQuery(api, uuid).queryKey, null)
    await reloadServices(api, client)
    clearTransferRequestedMark(client, uuid)
  })
  useEffect(() => void reloadPort(), [])
}

import { useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import { reloadServices } from '#features/services/web/services.queries.ts'
import s from './port.module.css'

/** It says nothing of any service, so it may be opened by anyone who is signed in. */
export default function PortSuccessPage() {
  useNewStatus()
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
            Keep your old SIM in your phone until a text asks you to confirm the transfer. Reply ‘Yes’ within 2 hours,
            then insert your new SIM.
          </span>
        </p>
      </Card>
      <Button href="/">Back to Dashboard</Button>
    </div>
  )
}

/**
 * Whatever lists the services next tells of the transfer. Asked here, so that the page with the form is not changed
 * while it is being left.
 */
function useNewStatus(): void {
  const api = useApi()
  const client = useQueryClient()
  const reload = useEffectEvent(() => void reloadServices(api, client))
  useEffect(() => reload(), [])
}

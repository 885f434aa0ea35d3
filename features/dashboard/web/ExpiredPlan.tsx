import { formatDate } from '#kit/contract/dates.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Service } from '#features/services/services.contract.ts'
import s from './ServiceView.module.css'

/** A plan that has ended, and what keeps the number (spec 2.4). */
export function ExpiredPlan({ service }: { service: Service }) {
  const { market } = useBootstrap()
  return (
    <div className={s.expired}>
      <p className={s.ended}>
        <Icon name="warn" />
        <span>Prepay Plan Expired on {formatDate(service.expiry_date, market.zone)}!</span>
      </p>
      <p>Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.</p>
      <p>Renew a Prepay Plan to keep your Phone Number.</p>
      <div className={s.actions}>
        <Button href={`/services/renew/${service.plan_short_id}/`}>RENEW OR BUY PREPAY PLAN</Button>
      </div>
    </div>
  )
}

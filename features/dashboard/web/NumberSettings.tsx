import { Link } from '#kit/web/Link.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { hasPortFailed } from './use-services.ts'
import s from './ServiceView.module.css'

/** Where a number is asked to be brought along, as long as none has been or is on its way. */
export function NumberSettings({ service }: { service: Service }) {
  if (service.porting_request && !hasPortFailed(service)) return null
  return (
    <Card className={s.settings}>
      <div>
        <h2>Phone Number Settings</h2>
        <p className="muted small">Bring a number that you already have to this SIM.</p>
      </div>
      <Link className={s.go} href={`/services/${service.uuid}/port/`}>
        Request Number Transfer
        <Icon name="arrow" />
      </Link>
    </Card>
  )
}

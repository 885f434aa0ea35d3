import { type ReactNode, Suspense, useId } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { renderSentenceCase } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { type UsageSummary, usageMessages } from '#features/usage/usage.contract.ts'
import { createLazyComponent } from './create-lazy-component.ts'
import { hasPortFailed } from './transfer.labels.ts'
import * as s from './ServiceRows.module.css'

const AlertsSummary = createLazyComponent('alertsFact')

type Props = {
  service: Service
  summary: UsageSummary | undefined
  /** Whether the usage query has finished, successfully or not. */
  isAnswered: boolean
}

export function ServiceRows({ service, summary, isAnswered }: Props) {
  const id = useId()
  const { uuid, is_expired: isExpired, porting_request } = service
  const canTransferNumber = !porting_request || hasPortFailed(service)
  return (
    <Card className={s.rows} inset={false}>
      {!isExpired && (
        <LinkRow icon="plus" name="PURCHASE ADD-ONS" href={`/services/${uuid}/addons/`}>
          {addOnsSummary(summary, isAnswered)}
        </LinkRow>
      )}
      <LinkRow icon="phone" name="Alerts" href={`/services/${uuid}/alerts/`}>
        <Suspense>
          <AlertsSummary uuid={uuid} />
        </Suspense>
      </LinkRow>
      <LinkRow icon="card" name="Invoices" href={`/services/${uuid}/invoices/`}>
        Invoices and refunds
      </LinkRow>
      <LinkRow icon="clock" name="History" href={`/services/${uuid}/history/`}>
        12 months of data use and spending
      </LinkRow>
      <LinkRow icon="sim" name="Number details" href={`/services/${uuid}/number/`}>
        {service.name === null ? 'Name, calendar reminder and PUK' : `Name: ${service.name}`}
      </LinkRow>
      {canTransferNumber && (
        <section aria-labelledby={id}>
          <h2 id={id}>Phone Number Settings</h2>
          <LinkRow icon="sim" name="Request Number Transfer" href={`/services/${uuid}/port/`}>
            Move a number you already have to this SIM
          </LinkRow>
        </section>
      )}
    </Card>
  )
}

function addOnsSummary(summary: UsageSummary | undefined, isAnswered: boolean): string | null {
  if (!summary && !isAnswered) return null
  if (!summary?.addons) return usageMessages.addOnsUnavailable
  const count = summary.addons.length
  return count === 0 ? 'No Add-Ons' : count === 1 ? '1 Add-On' : `${count} Add-Ons`
}

type RowProps = { icon: IconName; name: string; href: string; children: ReactNode }

/** The whole row is clickable, but screen readers announce only `name` as the link's text. */
const LinkRow = ({ icon, name, href, children }: RowProps) => (
  <div className={s.row}>
    <Icon name={icon} />
    <div>
      <Link href={href}>{renderSentenceCase(name)}</Link>
      <p>{children}</p>
    </div>
    <Icon name="chevron" className={s.on} />
  </div>
)

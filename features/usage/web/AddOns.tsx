import { formatDate } from '#kit/contract/dates.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { type OwnedAddOn, usageMessages } from '../usage.contract.ts'
import { usageSummaryQuery } from './usage.queries.ts'
import { leftOf } from './usage-words.ts'
import s from './usage.module.css'

/** The add-ons of a service that are still good. */
export function AddOns({ uuid }: { uuid: string }) {
  const { data, updates } = useQuery(usageSummaryQuery(useApi(), uuid))
  if (!data && updates === 0)
    return (
      <p className={s.none}>
        <i className={s.waiting} />
      </p>
    )
  if (!data?.addons) return <p className={s.none}>{usageMessages.addOnsUnavailable}</p>
  if (data.addons.length === 0) return <p className={s.none}>You have no Add-Ons at the moment.</p>
  return (
    <ul className={s.addOns}>
      {data.addons.map((addOn) => (
        <li key={addOn.id}>
          <AddOn addOn={addOn} />
        </li>
      ))}
    </ul>
  )
}

function AddOn({ addOn: { name, roaming, expiry_date, entitlements } }: { addOn: OwnedAddOn }) {
  const { market } = useBootstrap()
  return (
    <Card className={s.addOn}>
      <h3>{name}</h3>
      <p className={s.note}>
        Expires on {formatDate(expiry_date, market.zone)}
        {roaming && (
          <span className={s.roaming}>
            <Icon name="globe" />
            Roaming
          </span>
        )}
      </p>
      {entitlements.map((entitlement) => (
        <div key={entitlement.name}>
          <Progress
            value={entitlement.remainingAllowance.amount}
            max={entitlement.totalAllowance.amount}
            label={`${entitlement.name} left`}
            valueText={leftOf(entitlement)}
          />
          <p className={s.small}>{leftOf(entitlement)}</p>
        </div>
      ))}
    </Card>
  )
}

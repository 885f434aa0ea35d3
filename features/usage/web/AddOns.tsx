import { formatDate } from '#kit/contract/dates.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import type { OwnedAddOn } from '../usage.contract.ts'
import { isUsedAbroad, getRemainingLabel } from './usage.labels.ts'
import * as s from './usage.module.css'

const AddOns = ({ uuid, addOns }: { uuid: string; addOns: readonly OwnedAddOn[] }) => (
  <section aria-labelledby={`add-ons-${uuid}`}>
    <h2 id={`add-ons-${uuid}`}>Add-Ons</h2>
    <ul className={s.addOns}>
      {addOns.map((addOn) => (
        <li key={addOn.id}>
          <AddOn addOn={addOn} />
        </li>
      ))}
    </ul>
  </section>
)

export default AddOns

function AddOn({ addOn }: { addOn: OwnedAddOn }) {
  const { name, expiry_date, entitlements } = addOn
  const { market } = useBootstrap()
  return (
    <Card className={s.addOn}>
      <h3>{name}</h3>
      <p className={s.note}>
        Expires on {formatDate(expiry_date, market.zone)}
        {isUsedAbroad(addOn) && (
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
            valueText={getRemainingLabel(entitlement)}
          />
          <p className={s.small}>{getRemainingLabel(entitlement)}</p>
        </div>
      ))}
    </Card>
  )
}

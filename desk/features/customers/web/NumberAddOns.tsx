import { formatDate } from '#kit/contract/dates.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { NumberAddOn } from '../usage.contract.ts'
import { usageQuery } from './customers.queries.ts'
import { remainingLabel } from './usage.labels.ts'
import * as s from './number.module.css'

export function NumberAddOns({ id, service }: { id: string; service: string }) {
  const { data, error } = useQuery(usageQuery(useApi(), id, service))
  const addOns = data?.add_ons
  return (
    <Panel title="Add-ons">
      {!data && !error && <Skeleton lines={2} />}
      {(error || addOns === null) && <p className="muted">We couldn’t load the add-ons: no answer from the network.</p>}
      {addOns?.length === 0 && <p className="muted">No active add-ons.</p>}
      {addOns && addOns.length > 0 && (
        <ul className={s.addOns}>
          {addOns.map((addOn) => (
            <li key={addOn.id}>
              <AddOn addOn={addOn} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function AddOn({ addOn: { name, ends, is_for_roaming: roaming, left } }: { addOn: NumberAddOn }) {
  const { zone } = useBootstrap().market
  return (
    <>
      <p>
        <b>{name}</b>
        <span className="muted">{`${roaming ? ', roaming' : ''}, until ${formatDate(ends, zone)}`}</span>
      </p>
      {left.map((each) => (
        <div key={each.name} className={s.bar}>
          <Progress
            value={each.amount}
            max={each.total}
            label={`${name}: ${each.name} left`}
            valueText={remainingLabel(each)}
          />
          <span>{remainingLabel(each)}</span>
        </div>
      ))}
    </>
  )
}

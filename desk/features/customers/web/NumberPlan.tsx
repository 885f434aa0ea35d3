import { formatDate } from '#kit/contract/dates.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import type { NumberView } from '../number.contract.ts'
import { usageQuery } from './customers.queries.ts'
import NumberUsage from './NumberUsage.tsx'
import { FactList } from './FactList.tsx'
import { remainingLabel } from './usage.labels.ts'
import * as s from './customer.module.css'
import * as own from './number.module.css'

type Props = { id: string; service: string; number: NumberView }

export function NumberPlan({ id, service, number }: Props) {
  const { zone } = useBootstrap().market
  const { plan, state, goes_back: goesBack } = number
  const day = (when: string): string => formatDate(when, zone)
  return (
    <Panel title={plan?.title ?? 'No plan'}>
      {state === 'active' && (
        <>
          <NumberUsage customer={id} service={service} />
          <OtherAllowances {...{ id, service }} />
        </>
      )}
      <FactList
        rows={[
          plan && ['Length', formatDays(plan.length)],
          plan && ['Started', day(plan.starts)],
          plan && [state === 'active' ? 'Ends' : 'Ended', day(plan.ends)],
          goesBack && ['Number released', `${day(goesBack)}, unless renewed`],
        ]}
      />
      {number.next_plan && <NextPlan next={number.next_plan} />}
    </Panel>
  )
}

function OtherAllowances({ id, service }: Omit<Props, 'number'>) {
  const { data } = useQuery(usageQuery(useApi(), id, service))
  if (!data || data.others.length === 0) return null
  return <FactList rows={data.others.map((left) => [`${left.name} left`, remainingLabel(left)])} />
}

function NextPlan({ next }: { next: NonNullable<NumberView['next_plan']> }) {
  const { zone } = useBootstrap().market
  const { title, length, starts, paid, paid_with: by, amount, order_code: code } = next
  const payment = by === 'voucher' ? 'by voucher' : `${formatPriceWithCommas(decimalToCents(amount))} by card`
  return (
    <div className={own.next}>
      <h3>Next plan</h3>
      <p>
        {title}, {formatDays(length)}, from {formatDate(starts, zone)}
      </p>
      <p className={s.small}>
        Paid {payment} on {formatDate(paid, zone)}
        {code && (
          <span>
            {' · '}
            <Link href={`/orders/${code}/`}>{code}</Link>
          </span>
        )}
      </p>
    </div>
  )
}

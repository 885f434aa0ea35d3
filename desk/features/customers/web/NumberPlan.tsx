import { formatDate } from '#kit/contract/dates.ts'
import { fromWire } from '#kit/contract/money.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import type { NumberShown } from '../number.contract.ts'
import { leftQuery } from './customers.queries.ts'
import NumberUse from './NumberUse.tsx'
import { Rows } from './Rows.tsx'
import { leftWords } from './use-words.ts'
import * as s from './customer.module.css'
import * as own from './number.module.css'

type Props = { id: string; service: string; number: NumberShown }

export function NumberPlan({ id, service, number }: Props) {
  const { zone } = useBootstrap().market
  const { plan, state, goes_back: goesBack } = number
  const day = (when: string): string => formatDate(when, zone)
  return (
    <Panel title={plan?.title ?? 'No plan'}>
      {state === 'active' && (
        <>
          <NumberUse customer={id} service={service} />
          <Others {...{ id, service }} />
        </>
      )}
      <Rows
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

function Others({ id, service }: Omit<Props, 'number'>) {
  const { data } = useQuery(leftQuery(useApi(), id, service))
  if (!data || data.others.length === 0) return null
  return <Rows rows={data.others.map((left) => [`${left.name} left`, leftWords(left)])} />
}

function NextPlan({ next }: { next: NonNullable<NumberShown['next_plan']> }) {
  const { zone } = useBootstrap().market
  const { title, length, starts, paid, paid_with: by, amount, order_code: code } = next
  const how = by === 'voucher' ? 'by voucher' : `${formatSum(fromWire(amount))} by card`
  return (
    <div className={own.next}>
      <h3>Next plan</h3>
      <p>
        {title}, {formatDays(length)}, from {formatDate(starts, zone)}
      </p>
      <p className={s.small}>
        Paid {how} on {formatDate(paid, zone)}
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

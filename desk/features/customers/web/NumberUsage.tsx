import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { getServerTime } from '#kit/web/server-time.ts'
import { RadialGauge } from '#kit/web/widgets/RadialGauge.tsx'
import { usageQuery } from './customers.queries.ts'
import { remainingLabel, readingAgeLabel } from './usage.labels.ts'
import * as s from './customer.module.css'

export default function NumberUsage({ customer, service }: { customer: string; service: string }) {
  const { data, error } = useQuery(usageQuery(useApi(), customer, service))
  const left = data?.left
  if (error && !data) return <p className={s.small}>We couldn’t load the remaining allowance.</p>
  if (data && !left)
    return (
      <p className={s.small}>
        {data.is_silent
          ? 'The remaining allowance is not available: no answer from the network.'
          : 'This plan has no metered allowance.'}
      </p>
    )
  return (
    <div className={s.use} aria-busy={!data}>
      <div className={s.fan}>
        <RadialGauge
          feathers={6}
          value={left?.amount ?? 0}
          max={left?.total ?? 0}
          label={`${left?.name ?? 'Data'} left`}
          valueText={left ? remainingLabel(left) : 'Loading'}
        />
      </div>
      <dl className={`${s.rows} ${s.left}`}>
        <div>
          <dt>Left</dt>
          <dd>{left ? remainingLabel(left) : '…'}</dd>
        </div>
        <div>
          <dt>Updated</dt>
          <dd>{`${left ? readingAgeLabel(left.read, getServerTime()) : '…'}${data?.is_silent ? ', network not answering now' : ''}`}</dd>
        </div>
      </dl>
    </div>
  )
}

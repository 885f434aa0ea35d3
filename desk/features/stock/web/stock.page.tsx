import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import type { Stock } from '../stock.contract.ts'
import { Batches } from './Batches.tsx'
import { FindVoucherOrSim } from './FindVoucherOrSim.tsx'
import { formatCount } from './count.labels.ts'
import { Loads } from './SimLoads.tsx'
import { simStockLabel, voucherStockLabel } from './stock.labels.ts'
import { stockQuery } from './stock.queries.ts'
import * as s from './stock.module.css'

export default function StockPage() {
  const { data, error, refetch } = useQuery(stockQuery(useApi()))
  const me = useMe()
  const canLoadSims = hasRole(me, ['support', 'admin'])
  return (
    <>
      <header className={s.head}>
        <h1>Stock</h1>
        {data && <p className="muted">{simStockLabel(data.sims)}</p>}
        <div className={s.acts}>
          {hasRole(me, ['admin']) && (
            <DenseButton href="/stock/batches/new/" icon="gift">
              Make vouchers
            </DenseButton>
          )}
          {canLoadSims && (
            <DenseButton href="/stock/loads/new/" kind="primary" icon="plus">
              Load SIM packs
            </DenseButton>
          )}
        </div>
      </header>
      {error && !data && (
        <Unavailable what="We couldn’t load the stock." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={s.columns}>
          <div className={s.column}>
            <Loads loads={data.loads} areLinked={canLoadSims} />
            <Batches batches={data.batches} />
          </div>
          <div className={s.column}>
            <UnusedVouchers vouchers={data.vouchers} />
            {canLoadSims && <FindVoucherOrSim />}
          </div>
        </div>
      )}
    </>
  )
}

function UnusedVouchers({ vouchers }: Pick<Stock, 'vouchers'>) {
  return (
    <Panel title="Unused vouchers" note="by plan">
      {vouchers.length === 0 && <p className="muted">No usable vouchers.</p>}
      <dl className={s.counts}>
        {vouchers.map(({ plan, ...level }) => (
          <div key={plan}>
            <dt>
              {plan}
              <span className="muted">{voucherStockLabel(level)}</span>
            </dt>
            <dd>{formatCount(level.unused)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

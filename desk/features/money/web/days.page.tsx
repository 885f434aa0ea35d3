import { formatLongDate, addDays } from '#kit/contract/days.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { type DailyTotals, downloadDailyTotals } from '../money.contract.ts'
import { dayFromUrl, dailyTotalsQuery } from './money.queries.ts'
import { MoneyHead } from './MoneyHead.tsx'
import { PageLinks } from './PageLinks.tsx'
import * as s from './money.module.css'

const columns = [
  { title: 'Day', isName: true },
  { title: 'Taken', isFigure: true },
  { title: 'Refunded', isFigure: true },
  { title: 'Disputed', isFigure: true },
  { title: 'Activations', isFigure: true },
  { title: 'Renewals', isFigure: true },
  { title: 'Add-ons', isFigure: true },
  { title: 'By card', isFigure: true },
  { title: 'By voucher', isFigure: true },
]

const price = (amount: string): string => formatPriceWithCommas(decimalToCents(amount))
const sum = ({ count, amount }: DailyTotals['by_card']): string => `${count.toLocaleString('en-NZ')}, ${price(amount)}`

export default function DaysPage() {
  const beforeDay = dayFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(dailyTotalsQuery(useApi(), beforeDay))
  const rows = (data?.days ?? []).map((row) => ({
    key: row.day,
    cells: [
      row.is_today ? `${formatLongDate(row.day)}, so far` : formatLongDate(row.day),
      price(row.taken),
      price(row.given),
      price(row.disputed),
      sum(row.activations),
      sum(row.renewals),
      sum(row.addons),
      sum(row.by_card),
      row.by_voucher.toLocaleString('en-NZ'),
    ],
  }))
  return (
    <>
      <MoneyHead at="/money/days/" />
      <Panel
        title="Days"
        note={data ? `in ${data.currency}, midnight to midnight` : ''}
        inset={false}
        foot={
          'Taken leaves out payments that the gateway couldn’t capture; the columns by type and by payment method count them. ' +
          'Fees are not included: the gateway lists them in its settlement report only.'
        }
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the daily totals." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={8} />}
        {data && (
          <DataTable
            caption="Days"
            columns={columns}
            rows={rows}
            empty="No sales before this date."
            more={(data.next ?? beforeDay) && <PageLinks path="/money/days/" before={beforeDay} next={data.next} />}
          />
        )}
      </Panel>
      {data && <DownloadForm today={data.today} />}
    </>
  )
}

function DownloadForm({ today }: { today: string }) {
  return (
    <Panel title="Download" note="CSV, up to one year">
      <form action={downloadDailyTotals.path} method="get" className={s.range} aria-label="Download daily totals">
        <label>
          <span>From</span>
          <input type="date" name="from" required max={today} defaultValue={addDays(today, -30)} />
        </label>
        <label>
          <span>To</span>
          <input type="date" name="to" required max={today} defaultValue={today} />
        </label>
        <DenseButton type="submit" icon="download">
          Download
        </DenseButton>
      </form>
    </Panel>
  )
}

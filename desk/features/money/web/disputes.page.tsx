import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { DisputeRow } from '../money.contract.ts'
import { isLate, timeLeftLabel } from './money.labels.ts'
import { disputesFilterFromUrl, disputesQuery } from './money.queries.ts'
import { MoneyHead } from './MoneyHead.tsx'
import { PageLinks } from './PageLinks.tsx'
import * as s from './money.module.css'

const chips = [
  { value: 'waiting', text: 'Waiting' },
  { value: 'all', text: 'All' },
] as const

const columns = [
  { title: 'Dispute', isName: true },
  { title: 'State' },
  { title: 'Reason' },
  { title: 'Order', isShort: true, isExtra: true },
  { title: 'Due' },
  { title: 'Amount', isFigure: true },
]

export default function DisputesPage() {
  const navigate = useNavigate()
  const filter = disputesFilterFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(disputesQuery(useApi(), filter))
  return (
    <>
      <MoneyHead at="/money/" />
      <Panel
        title="Disputes"
        note={filter.of === 'all' ? 'newest first' : 'due first'}
        inset={false}
        action={
          <ChipRow
            label="Filter disputes"
            chips={chips}
            value={filter.of}
            onChange={(of) => navigate(of === 'waiting' ? '/money/' : '/money/?of=all')}
          />
        }
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the disputes." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && (
          <Disputes
            disputes={data.disputes}
            empty={filter.of === 'all' ? 'No payment has ever been disputed.' : 'No open disputes.'}
            more={
              (data.next ?? filter.before) && (
                <PageLinks
                  path="/money/"
                  query={filter.of === 'all' ? { of: 'all' } : {}}
                  before={filter.before}
                  next={data.next}
                  words={filter.of === 'all' ? ['Newest', 'Older'] : ['First', 'More']}
                />
              )
            }
          />
        )}
      </Panel>
    </>
  )
}

type ListProps = { disputes: DisputeRow[]; empty: string; more: React.ReactNode }

function Disputes({ disputes, empty, more }: ListProps) {
  const { zone } = useBootstrap().market
  const rows = disputes.map((row) => ({
    key: row.reference,
    href: `/money/disputes/${row.reference}/`,
    cells: [
      row.reference,
      <TonePill key="state" tone={row.tone}>
        {row.words}
      </TonePill>,
      row.reason,
      row.order,
      <DueCell key="due" due={row.due} left={row.left_seconds} zone={zone} />,
      `${formatPriceWithCommas(decimalToCents(row.amount))} ${row.currency}`,
    ],
  }))
  return <DataTable caption="Disputes" columns={columns} rows={rows} empty={empty} more={more} />
}

function DueCell({ due, left, zone }: { due: string | null; left: number | null; zone: string }) {
  if (!due || left === null)
    return (
      <span key="none" className="muted">
        {due ? 'over' : 'no date given'}
      </span>
    )
  return (
    <span className={isLate(left) ? s.late : ''}>
      {formatDayAndTime(due, zone)}, {timeLeftLabel(left)}
    </span>
  )
}

import { useRef } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { type Column, Table } from '#kit/web/widgets/Table.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import MoreNumbersButton from '#features/services/web/MoreNumbersButton.tsx'
import { useShownNumbers } from '#features/services/web/use-shown-numbers.ts'
import type { NumberRow } from '../invoices.contract.ts'
import { numbersQuery } from './invoices.queries.ts'
import * as s from './purchases.module.css'

export default function NumbersPage() {
  const { data: numbers, error, refetch } = useQuery(numbersQuery(useApi()))
  return (
    <AccountFrame
      title="Purchases"
      lead="Your purchases and invoices for each phone number. Includes numbers you no longer have."
    >
      {error && !numbers ? (
        <Unavailable what="Your purchases can’t be loaded right now." error={error} onRetry={() => void refetch()} />
      ) : (
        <Card inset={false}>
          <NumberTable numbers={numbers} />
        </Card>
      )}
    </AccountFrame>
  )
}

const columns: Column[] = [
  { title: 'Phone number', isName: true },
  { title: <span className="visually-hidden">Purchases</span>, isFigure: true },
]

function NumberTable({ numbers }: { numbers: readonly NumberRow[] | undefined }) {
  const { market } = useBootstrap()
  const table = useRef<HTMLDivElement>(null)
  const shownNumbers = useShownNumbers(numbers ?? [])
  if (!numbers)
    return (
      <div className={s.other}>
        <Skeleton lines={4} />
      </div>
    )
  if (numbers.length === 0) return <p className={s.other}>You haven’t bought anything yet.</p>
  const rows = shownNumbers.numbers.map(({ uuid, phone_number, name, released }) => {
    const href = `/services/${uuid}/invoices/`
    const cells = [
      <span key="number" id={uuid}>
        <span className={s.what}>{phone_number}</span>
        {name !== null && <span className={s.how}>{name}</span>}
        {released !== null && <span className={s.how}>Number released on {formatDate(released, market.zone)}</span>}
      </span>,
      <Link key="history" href={href} className={s.view} aria-describedby={uuid}>
        VIEW<span className={s.kind}> PURCHASES</span>
      </Link>,
    ]
    return { key: uuid, href, cells }
  })
  return (
    <>
      {shownNumbers.first !== null && (
        <p className={s.sum}>
          <Link href={shownNumbers.first}>Show the first phone numbers</Link>
        </p>
      )}
      <div ref={table}>
        <Table caption="Phone numbers, including numbers you no longer have" columns={columns} rows={rows} />
      </div>
      {shownNumbers.next !== null && (
        <div className={s.more}>
          <MoreNumbersButton next={shownNumbers.next} showMore={shownNumbers.showMore} list={table} />
        </div>
      )}
    </>
  )
}
